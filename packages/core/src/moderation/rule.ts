import { Schema, Struct } from "effect"
import { failure } from "../failure.ts"
import { Count, Json, JsonObject, Name, partial, Text, Timestamp, Uuid, withDefaults } from "../schema.ts"

/** What a rule looks for [I6.1]. */
export const ruleTypes = ["keyword", "regex", "link"] as const
export const RuleType = Schema.Literals(ruleTypes)
export type RuleType = typeof RuleType.Type

/** What a match leads to, the weakest first [I6.1]. */
export const ruleActions = ["flag", "hold", "reject"] as const
export type RuleAction = (typeof ruleActions)[number]

/** The config of a rule does not fit its type, or there is no such type [I6.1]. `details.issues` says where. */
export class InvalidRuleConfig extends failure(
  "InvalidRuleConfig",
  "invalid",
  "INVALID_RULE_CONFIG",
  "The rule is not valid.",
) {}

/** A rule of moderation (spec: moderation rule). Its config is kept as it was given. */
export const ModerationRule = Schema.Struct({
  id: Uuid,
  name: Name,
  rule_type: RuleType,
  config: JsonObject,
  is_active: Schema.Boolean,
  created_at: Timestamp,
}).annotate({ identifier: "ModerationRule" })
export type ModerationRule = typeof ModerationRule.Type

/** A rule as stored. `revision` is another one after each change. */
export const ModerationRuleRow = Schema.Struct({ ...ModerationRule.fields, revision: Count })
export type ModerationRuleRow = typeof ModerationRuleRow.Type

// Type and config are judged together, with a code of their own.
const given = {
  ...Struct.pick(ModerationRule.fields, ["name", "is_active"]),
  rule_type: Text,
  config: Json,
}

/** What a rule is made with. */
export const NewModerationRule = Schema.Struct(withDefaults(given, { is_active: true })).annotate({
  identifier: "NewModerationRule",
})
export type NewModerationRule = typeof NewModerationRule.Type

/** What of a rule can be changed. The config is replaced as a whole. */
export const ModerationRuleChanges = Schema.Struct(partial(given)).annotate({ identifier: "ModerationRuleChanges" })
export type ModerationRuleChanges = typeof ModerationRuleChanges.Type
