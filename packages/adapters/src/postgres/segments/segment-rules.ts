import {
  conditionOf,
  type EventRule,
  eventSpan,
  eventThreshold,
  type FieldRule,
  type FieldTarget,
  type RuleGroup,
  type RuleNode,
  summedPath,
} from "@hearth/core/segments"
import { rechargedSql } from "../currencies/recharge-sql.ts"
import type { Bindings } from "../sql/bindings.ts"
import { summandSql } from "../sql/summand.ts"
import { fieldTestSql, sqlComparisons } from "./segment-tests.ts"

/** The SQL of a value for a field, null when it is missing. The caller's text is bound, never written into it. */
type FieldSql = (target: FieldTarget) => string

interface Compiling {
  readonly now: Date
  readonly bind: Bindings["bind"]
  /** Joins `from` to the users, once for equal conditions. Answers its alias. */
  readonly join: (from: string, on?: (alias: string) => string) => string
}

const makeJoins = () => {
  const aliases = new Map<string, string>()
  const texts = new Map<string, string>()
  const join: Compiling["join"] = (from, on = () => "true") => {
    const key = `${from} on ${on("it")}`
    const alias = aliases.get(key) ?? `j${aliases.size + 1}`
    aliases.set(key, alias)
    texts.set(alias, `left join ${from} ${alias} on ${alias}.app_user_id = u.id and ${on(alias)}`)
    return alias
  }
  return { join, text: () => [...texts.values()].join("\n") }
}

const unlockedKeys = `
  (select ua.app_user_id, a.key from user_achievements ua join achievements a on a.id = ua.achievement_id)`

// Numbers of 64 bits, as the core compares them.
const walletBalances = (now: string) => `(
  select w.app_user_id, c.code, (w.balance + ${rechargedSql("w", "c", now)})::float8 as balance
  from wallets w join currencies c on c.id = w.currency_id
)`

/** The SQL of what is at a path of properties; null where there is nothing. */
export const propertySql = (properties: string, path: ReadonlyArray<string>, bind: Bindings["bind"]): string =>
  `(${[properties, ...path.map((key) => bind(key, "text"))].join(" -> ")})`

/** The SQL of a user's value for a field. */
const fieldSql = (target: FieldTarget, { now, bind, join }: Compiling): string => {
  switch (target.kind) {
    case "property":
      return propertySql("u.properties", target.path, bind)
    case "entitlement": {
      const held = join("user_entitlements", (it) => `${it}.entitlement_id = ${bind(target.entitlement_id, "text")}`)
      const isCurrent = `${held}.expiration_date is null or ${held}.expiration_date > ${bind(now, "timestamptz")}`
      return `(${held}.is_active and (${isCurrent}))`
    }
    case "achievement": {
      const unlocked = join(unlockedKeys, (it) => `${it}.key = ${bind(target.key, "text")}`)
      return `(${unlocked}.key is not null)`
    }
    case "streak": {
      const id = bind(target.streak_definition_id, "uuid")
      return `${join("user_streaks", (it) => `${it}.streak_definition_id = ${id}`)}.current_count`
    }
    case "xp":
      return `coalesce(${join("xp_totals")}.total, 0)`
    case "currency": {
      const code = bind(target.code, "text")
      const wallet = join(walletBalances(bind(now, "timestamptz")), (it) => `${it}.code = ${code}`)
      return `coalesce(${wallet}.balance, (select initial_balance::float8 from currencies where code = ${code}))`
    }
    case "text":
      return target.column === "id" ? "u.id::text" : `u.${target.column}`
    default:
      return `u.${target.column}`
  }
}

const fieldRuleSql = (rule: FieldRule, fieldSql: FieldSql, now: Date, bind: Bindings["bind"]): string => {
  const { target, test, isNegated } = conditionOf(rule)
  const tested = fieldTestSql(target.kind, fieldSql(target), test, now, bind)
  return `${isNegated ? "not " : ""}coalesce(${tested}, false)`
}

const nodeSql = (
  node: RuleNode,
  testField: (rule: FieldRule) => string,
  testEvent: (rule: EventRule) => string,
): string => {
  if ("field" in node) return testField(node)
  if ("event" in node) return testEvent(node)
  const conditions = node.conditions.map((child) => `(${nodeSql(child, testField, testEvent)})`)
  if (node.operator === "NOT") return `not ${conditions.join("")}`
  if (conditions.length === 0) return node.operator === "AND" ? "true" : "false"
  return conditions.join(node.operator === "AND" ? " and " : " or ")
}

/** Whether the `where` of a rule matches an event of `engagement_events e`: true or false. */
export const whereSql = (where: RuleGroup, now: Date, bind: Bindings["bind"]): string => {
  const fieldSql: FieldSql = (target) =>
    target.kind === "property" ? propertySql("e.properties", target.path, bind) : "null"
  return nodeSql(
    where,
    (rule) => fieldRuleSql(rule, fieldSql, now, bind),
    () => "false",
  )
}

/** What a rule counts or sums of events `e`, as a number of 64 bits: null where a sum is of none. */
export const measureSql = (rule: EventRule, bind: Bindings["bind"]): string =>
  "sum" in rule
    ? `sum(${summandSql(propertySql("e.properties", summedPath(rule.sum.property) ?? [], bind))})::float8`
    : "count(*)::float8"

// Measured for all users at once, instead of one query per user.
const eventRuleSql = (rule: EventRule, { now, bind, join }: Compiling): string => {
  const { event, since, until } = eventSpan(rule, now)
  const bounds = [
    `event_name = ${bind(event, "text")}`,
    ...(since === null ? [] : [`occurred_at >= ${bind(since, "timestamptz")}`]),
    ...(until === null ? [] : [`occurred_at <= ${bind(until, "timestamptz")}`]),
    ...(rule.where === undefined ? [] : [`(${whereSql(rule.where, now, bind)})`]),
  ]
  const measured = join(
    `(select app_user_id, ${measureSql(rule, bind)} as measure from engagement_events e
      where ${bounds.join(" and ")} group by app_user_id)`,
  )
  return `coalesce(${measured}.measure, 0) ${sqlComparisons[rule.op]} ${bind(eventThreshold(rule), "float8")}`
}

/**
 * A query of the `id` and `last_seen_at` of the users whom parsed rules describe at `now`. Every text of the rules is
 * bound, every condition is true or false, and every table is read once for all users.
 */
export const describedSql = (rules: RuleGroup, now: Date, { bind }: Bindings): string => {
  const { join, text } = makeJoins()
  const compiling: Compiling = { now, bind, join }
  const condition = nodeSql(
    rules,
    (rule) => fieldRuleSql(rule, (target) => fieldSql(target, compiling), now, bind),
    (rule) => eventRuleSql(rule, compiling),
  )
  return `select u.id, u.last_seen_at from app_users u ${text()} where ${condition}`
}
