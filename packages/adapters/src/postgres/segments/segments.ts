import type { RuleGroup, Segment, SegmentMembership, Segments } from "@hearth/core/segments"
import type { UserRow } from "@hearth/core/users"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeBindings } from "../sql/bindings.ts"
import { makeTable } from "../sql/table.ts"
import { describedSql } from "./segment-rules.ts"

/**
 * Users who enter are locked against removal before any membership is written: they cannot be removed in between,
 * and a removal of several users never waits for a membership while this waits for one of the users.
 */
const evaluation = (segmentId: string, rules: RuleGroup, now: Date) => {
  const bindings = makeBindings()
  const id = bindings.bind(segmentId, "uuid")
  const at = bindings.bind(now, "timestamptz")
  const text = `
    with segment as materialized (
      select id from segments where id = ${id}
    ), described as materialized (
      ${describedSql(rules, now, bindings)}
    ), present as materialized (
      select m.app_user_id, m.is_manual, d.id is not null as is_described
      from segment_memberships m left join described d on d.id = m.app_user_id where m.segment_id = ${id}
    ), entering as materialized (
      select u.id from app_users u join described d on d.id = u.id cross join segment
      where not exists (select from present p where p.app_user_id = u.id) order by u.id for key share of u
    ), entered as (
      insert into segment_memberships (segment_id, app_user_id, is_manual, added_at)
      select ${id}, id, false, ${at} from entering
    ), gone as (
      delete from segment_memberships m using present p
      where m.segment_id = ${id} and m.app_user_id = p.app_user_id and not m.is_manual and not p.is_described
        and (select count(*) from entering) >= 0
    )
    update segments set last_evaluated_at = ${at}, user_count =
      (select count(*) from entering) + (select count(*) from present where is_manual or is_described)
    where id = ${id} returning user_count`
  return { text, values: bindings.values }
}

const previewed = (rules: RuleGroup, now: Date, sampleSize: number, columns: ReadonlyArray<string>) => {
  const bindings = makeBindings()
  const text = `
    with described as materialized (
      ${describedSql(rules, now, bindings)}
    )
    select counted.described_users, sample.* from (select count(*) as described_users from described) as counted
    left join (
      select ${columns.map((column) => `u.${column}`).join(", ")}
      from (
        select id from described order by last_seen_at desc, id limit ${bindings.bind(sampleSize, "bigint")}
      ) as first join app_users u using (id)
    ) as sample on true
    order by sample.last_seen_at desc, sample.id`
  return { text, values: bindings.values }
}

// Evaluations run in the background, and millions of users take longer than the timeout of a call.
const evaluationTimeout = "10min"

/** The segments of a project, and their members. */
export const makeSegments = (
  statements: Statements,
  shapes: { readonly Segment: TableShape; readonly User: TableShape },
): Segments => ({
  ...makeTable<Segment>(statements, shapes.Segment),
  evaluate: (id, rules, now) =>
    Effect.suspend(() => {
      const { text, values } = evaluation(id, rules, now)
      const rows = statements.rows<{ readonly user_count: number }>(text, values)
      return Effect.andThen(
        statements.rows("select set_config('statement_timeout', $1, true)", [evaluationTimeout]),
        Effect.map(rows, ([row]) => row?.user_count ?? 0),
      )
    }),
  preview: (rules, now, sampleSize) =>
    Effect.suspend(() => {
      const { text, values } = previewed(rules, now, sampleSize, shapes.User.columns)
      const rows = statements.rows<UserRow & { readonly described_users: string }>(text, values)
      return Effect.map(rows, (answered) => ({
        user_count: Number(answered[0]?.described_users ?? 0),
        // An empty sample is one row with the count alone.
        sample: answered.filter(({ id }) => id !== null).map(({ described_users: _, ...user }) => user),
      }))
    }),
  membership: (segmentId, userId) =>
    Effect.map(
      statements.rows<SegmentMembership>(
        `select segment_id, app_user_id, is_manual, added_at from segment_memberships
         where segment_id = $1 and app_user_id = $2`,
        [segmentId, userId],
      ),
      ([membership]) => Option.fromNullishOr(membership),
    ),
})
