import { Schema } from "effect"

/**
 * The rules of segments and the criteria of achievements in the reference (docs/segments.md). The use cases check them, and answer
 * `INVALID_RULES` or `INVALID_CRITERIA`.
 */
export const RuleTree = Schema.Union([
  Schema.Struct({
    operator: Schema.Literals(["AND", "OR", "NOT"]),
    /** Rules about fields or events, and further groups. */
    conditions: Schema.Array(Schema.Json),
  }),
  Schema.Struct({ all: Schema.Array(Schema.Json) }),
  Schema.Struct({ any: Schema.Array(Schema.Json) }),
]).annotate({ identifier: "RuleTree" })
