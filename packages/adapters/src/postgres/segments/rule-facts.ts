import {
  type FieldTarget,
  fieldTarget,
  leavesOf,
  type RuleFacts,
  type UserFacts,
  type UserRules,
} from "@hearth/core/segments"
import type { UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { rechargedSql } from "../currencies/recharge-sql.ts"
import type { TableShape } from "../schema/schema.ts"
import { opaque } from "../sql/opaque.ts"
import { readMeasures } from "./event-measures.ts"

interface OfUser {
  readonly app_user_id: string
}

interface EntitlementRow extends OfUser {
  readonly entitlement_id: string
  readonly is_active: boolean
  readonly expiration_date: Date | null
}

interface StreakRow extends OfUser {
  readonly streak_definition_id: string
  readonly current_count: number
}

interface UnlockRow extends OfUser {
  readonly key: string
}

const entitlements = `
  select app_user_id, entitlement_id, is_active, expiration_date from user_entitlements where app_user_id = any($1::uuid[])`

const streaks = `
  select app_user_id, streak_definition_id, current_count from user_streaks where app_user_id = any($1::uuid[])`

interface XpRow extends OfUser {
  readonly total: number
}

const xpTotals = "select app_user_id, total from xp_totals where app_user_id = any($1::uuid[])"

interface BalanceRow extends OfUser {
  readonly code: string
  readonly balance: number
}

const balances = `
  select u.id as app_user_id, c.code,
    coalesce(w.balance + ${rechargedSql("w", "c", "$3::timestamptz")}, c.initial_balance)::float8 as balance
  from unnest($1::uuid[]) as u (id) cross join currencies c
  left join wallets w on w.app_user_id = u.id and w.currency_id = c.id
  where c.code = any($2::text[])`

const unlocks = `
  select ua.app_user_id, a.key from user_achievements ua join achievements a on a.id = ua.achievement_id
  where ua.app_user_id = any($1::uuid[])`

// Of the properties only those that are asked for: they may be large. The password is no field.
const usersWith = (columns: ReadonlyArray<string>) => {
  const others = columns.filter((column) => column !== "properties" && column !== "password_hash")
  return `
    select ${others.map((column) => `u.${column}`).join(", ")}, null as password_hash, coalesce((
      select jsonb_object_agg(p.key, p.value) from jsonb_each(u.properties) p where p.key = any(${opaque("$2::text[]")})
    ), '{}') as properties
    from app_users u where u.id = any(${opaque("$1::uuid[]")})`
}

const listTargets = (users: ReadonlyArray<UserRules>): ReadonlyArray<FieldTarget> => {
  const trees = new Set(users.flatMap(({ rules }) => rules))
  const fields = [...trees].flatMap((tree) => leavesOf(tree).flatMap((leaf) => ("field" in leaf ? [leaf.field] : [])))
  return [...new Set(fields)].flatMap((field) => fieldTarget(field) ?? [])
}

const groupByUser = <Row extends OfUser>(rows: ReadonlyArray<Row>) => Map.groupBy(rows, (row) => row.app_user_id)

/** What rules read about users. */
export const makeRuleFacts = (statements: Statements, user: TableShape): RuleFacts => {
  const users = usersWith(user.columns)
  return {
    read: Effect.fnUntraced(function* (wanted, now) {
      if (wanted.length === 0) return []
      const targets = listTargets(wanted)
      const ids = wanted.map(({ user_id }) => user_id)
      const keys = new Set(targets.flatMap((target) => (target.kind === "property" ? target.path.slice(0, 1) : [])))
      /** The rows of a kind of fields, by user; none where no rule has such a field. */
      const read = <Row extends OfUser>(kind: FieldTarget["kind"], text: string) =>
        targets.some((target) => target.kind === kind)
          ? Effect.map(statements.rows<Row>(text, [ids]), groupByUser)
          : Effect.succeed(groupByUser<Row>([]))
      const codes = targets.flatMap((target) => (target.kind === "currency" ? [target.code] : []))
      const rows = codes.length === 0 ? Effect.succeed([]) : statements.rows<BalanceRow>(balances, [ids, codes, now])
      const [found, held, runs, unlocked, totals, wallets, measures] = yield* Effect.all(
        [
          statements.rows<UserRow>(users, [ids, [...keys]]),
          read<EntitlementRow>("entitlement", entitlements),
          read<StreakRow>("streak", streaks),
          read<UnlockRow>("achievement", unlocks),
          read<XpRow>("xp", xpTotals),
          Effect.map(rows, groupByUser),
          readMeasures(statements, wanted, now),
        ],
        { concurrency: statements.concurrency },
      )
      return found.map(
        (row): UserFacts => ({
          user: row,
          entitlements: held.get(row.id) ?? [],
          streaks: new Map(runs.get(row.id)?.map((run) => [run.streak_definition_id, run.current_count])),
          achievements: new Set(unlocked.get(row.id)?.map(({ key }) => key)),
          xp: totals.get(row.id)?.[0]?.total ?? 0,
          currencies: new Map(wallets.get(row.id)?.map(({ code, balance }) => [code, balance])),
          events: measures.get(row.id) ?? new Map(),
        }),
      )
    }),
  }
}
