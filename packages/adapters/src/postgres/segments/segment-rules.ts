import {
  conditionOf,
  type EventRule,
  eventSpan,
  type FieldRule,
  type FieldTarget,
  type RuleGroup,
  type RuleNode,
} from "@hearth/core/segments"
import type { Bindings } from "../sql/bindings.ts"
import { fieldTestSql, sqlComparisons } from "./segment-tests.ts"

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

/** The SQL of a user's value for a field, null when it is missing. The caller's text is bound, never written into it. */
const fieldSql = (target: FieldTarget, { now, bind, join }: Compiling): string => {
  switch (target.kind) {
    case "property":
      return `(${["u.properties", ...target.path.map((key) => bind(key, "text"))].join(" -> ")})`
    case "entitlement": {
      const held = join("user_entitlements", (it) => `${it}.entitlement_id = ${bind(target.entitlement_id, "text")}`)
      const isCurrent = `${held}.expiration_date is null or ${held}.expiration_date > ${bind(now, "timestamptz")}`
      return `(${held}.is_active and (${isCurrent}))`
    }
    case "streak": {
      const id = bind(target.streak_definition_id, "uuid")
      return `${join("user_streaks", (it) => `${it}.streak_definition_id = ${id}`)}.current_count`
    }
    case "text":
      return target.column === "id" ? "u.id::text" : `u.${target.column}`
    default:
      return `u.${target.column}`
  }
}

const fieldRuleSql = (rule: FieldRule, compiling: Compiling): string => {
  const { target, test, isNegated } = conditionOf(rule)
  const tested = fieldTestSql(target.kind, fieldSql(target, compiling), test, compiling.now, compiling.bind)
  return `${isNegated ? "not " : ""}coalesce(${tested}, false)`
}

// Counts for all users at once, instead of one query per user.
const eventRuleSql = (rule: EventRule, { now, bind, join }: Compiling): string => {
  const { event, since, until } = eventSpan(rule, now)
  const bounds = [
    `event_name = ${bind(event, "text")}`,
    ...(since === null ? [] : [`occurred_at >= ${bind(since, "timestamptz")}`]),
    ...(until === null ? [] : [`occurred_at <= ${bind(until, "timestamptz")}`]),
  ]
  const counted = join(
    `(select app_user_id, count(*) as events from engagement_events where ${bounds.join(" and ")} group by app_user_id)`,
  )
  return `coalesce(${counted}.events, 0) ${sqlComparisons[rule.op]} ${bind(rule.count, "bigint")}`
}

const nodeSql = (node: RuleNode, compiling: Compiling): string => {
  if ("field" in node) return fieldRuleSql(node, compiling)
  if ("event" in node) return eventRuleSql(node, compiling)
  const conditions = node.conditions.map((child) => `(${nodeSql(child, compiling)})`)
  if (node.operator === "NOT") return `not ${conditions.join("")}`
  if (conditions.length === 0) return node.operator === "AND" ? "true" : "false"
  return conditions.join(node.operator === "AND" ? " and " : " or ")
}

/**
 * A query of the `id` and `last_seen_at` of the users whom parsed rules describe at `now`. Every text of the rules is
 * bound, every condition is true or false, and every table is read once for all users.
 */
export const describedSql = (rules: RuleGroup, now: Date, { bind }: Bindings): string => {
  const { join, text } = makeJoins()
  const condition = nodeSql(rules, { now, bind, join })
  return `select u.id, u.last_seen_at from app_users u ${text()} where ${condition}`
}
