import type { RuleGroup, Segments } from "@hearth/core/segments"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { makeBindings } from "../sql/bindings.ts"
import { describedSql } from "./segment-rules.ts"

// "segm". Locks of this kind are known in one database only.
const lock = "pg_try_advisory_xact_lock(1936024429, hashtext($1::uuid::text))"

// Evaluations run in the background: millions of users take longer than the timeout of a call, and after that work it is better
// to wait for a lock than to begin again.
const [mostMillis, lockMillis] = [10 * 60_000, 60_000]

// Who enters and who leaves is kept in the transaction, so that no row is locked while that is found out.
const createChanges = `
  create temporary table segment_changes (app_user_id uuid not null, enters boolean not null) on commit drop`

const findChanges = (segmentId: string, rules: RuleGroup, now: Date) => {
  const bindings = makeBindings()
  const id = bindings.bind(segmentId, "uuid")
  const text = `
    with described as materialized (
      ${describedSql(rules, now, bindings)}
    ), present as (
      select app_user_id, is_manual from segment_memberships where segment_id = ${id}
    )
    insert into segment_changes
    select coalesce(d.id, p.app_user_id), d.id is not null from described d full join present p on p.app_user_id = d.id
    where p.app_user_id is null or (d.id is null and not p.is_manual)`
  return { text, values: bindings.values }
}

// Against removal: a removal of several of them waits here, and not for a membership while this waits for a user.
const lockUsers = `
  with locked as materialized (
    select u.id from app_users u join segment_changes c on c.app_user_id = u.id order by u.id for key share of u
  )
  select count(*) from locked`

const writeChanges = `
  with entered as (
    insert into segment_memberships (segment_id, app_user_id, is_manual, added_at)
    select $1::uuid, u.id, false, $2::timestamptz from segment_changes c join app_users u on u.id = c.app_user_id
    where c.enters on conflict (segment_id, app_user_id) do nothing returning app_user_id
  ), gone as (
    delete from segment_memberships m using segment_changes c
    where m.segment_id = $1 and m.app_user_id = c.app_user_id and not c.enters and not m.is_manual
    returning m.app_user_id
  )
  update segments set last_evaluated_at = $2, user_count =
    (select count(*) from segment_memberships where segment_id = $1)
    + (select count(*) from entered) - (select count(*) from gone)
  where id = $1 returning user_count`

/** The part of `Segments` that evaluates. */
export const makeEvaluation = (statements: Statements): Pick<Segments, "lockEvaluation" | "evaluate"> => ({
  lockEvaluation: (id) =>
    Effect.map(
      statements.rows<{ readonly is_locked: boolean }>(`select ${lock} as is_locked`, [id]),
      ([row]) => row?.is_locked === true,
    ),
  evaluate: Effect.fnUntraced(function* (segment, rules, now) {
    yield* statements.allow(mostMillis, lockMillis)
    yield* statements.rows(createChanges)
    const { text, values } = findChanges(segment.id, rules, now)
    const changes = yield* statements.count(text, values)
    if (changes > 0) yield* statements.rows(lockUsers)
    const [present] = yield* statements.rows<{ readonly rules: unknown }>(
      "select rules from segments where id = $1 for no key update",
      [segment.id],
    )
    // Both were read from jsonb, which has one order of keys.
    const isCurrent = present !== undefined && JSON.stringify(present.rules) === JSON.stringify(segment.rules)
    const [written] = isCurrent
      ? yield* statements.rows<{ readonly user_count: number }>(writeChanges, [segment.id, now])
      : []
    yield* statements.rows("drop table segment_changes")
    return written?.user_count ?? null
  }),
})
