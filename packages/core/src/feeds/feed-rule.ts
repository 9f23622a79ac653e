import { Schema } from "effect"
import { partial, Timestamp, text, Uuid, withDefaults } from "../schema.ts"

// Who writes to whom is nobody else's to read, so it never comes to a feed [I3.1].
const secretEvent = "message_sent"

const fields = {
  /** The name of the events that make items. */
  source_event: text(1, 255).check(
    Schema.makeFilter((name: string) => name !== secretEvent || `must not be ${secretEvent}`),
  ),
  /** What the items say that was done. */
  action: text(1, 64),
  /** What it was done to: where the event has no `target_id`, the target is its `<target_type>_id`. */
  target_type: Schema.NullOr(text(1, 64)),
}

/** Which events make items of the feed (spec: feed rule). */
export const FeedRule = Schema.Struct({
  id: Uuid,
  ...fields,
  is_active: Schema.Boolean,
  created_at: Timestamp,
}).annotate({ identifier: "FeedRule" })
export type FeedRule = typeof FeedRule.Type

/** What a rule is made with. */
export const NewFeedRule = Schema.Struct(withDefaults(fields, { target_type: null })).annotate({
  identifier: "NewFeedRule",
})
export type NewFeedRule = typeof NewFeedRule.Type

/** The fields of a rule that can be changed. Those left out stay. */
export const FeedRuleChanges = Schema.Struct(partial({ ...fields, is_active: Schema.Boolean })).annotate({
  identifier: "FeedRuleChanges",
})
export type FeedRuleChanges = typeof FeedRuleChanges.Type
