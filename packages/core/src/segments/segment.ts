import { Schema } from "effect"
import { readByUseCase, readIssues } from "../own-issues.ts"
import { Count, JsonObject, Name, Prose, partial, Timestamp, Uuid, withDefaults } from "../schema.ts"
import { UserSummary } from "../users/user.ts"
import { parseRules } from "./parse-rules.ts"

const fields = { name: Name, description: Schema.NullOr(Prose) }

/** A named set of users, defined by rules (spec: segment). */
export const Segment = Schema.Struct({
  id: Uuid,
  ...fields,
  rules: JsonObject,
  /** Created by provisioning; read-only. */
  is_system: Schema.Boolean,
  user_count: Count,
  last_evaluated_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
}).annotate({ identifier: "Segment" })
export type Segment = typeof Segment.Type

/** A segment as stored. */
export const SegmentRow = Schema.Struct({
  ...Segment.fields,
  /**
   * The campaign of a push-schedule, for the segment of its user; null for every other. Such a segment goes with its campaign,
   * is not listed, and has no rules, so it is never evaluated [H4.6].
   */
  campaign_id: Schema.NullOr(Uuid),
})
export type SegmentRow = typeof SegmentRow.Type

// `rules` is any value here, because `parseRules` validates it with a code of its own.
const given = { ...fields, rules: readByUseCase((value) => readIssues(parseRules(value))) }

/** The fields with which a segment is created. */
export const NewSegment = Schema.Struct(withDefaults(given, { description: null }))
export type NewSegment = typeof NewSegment.Type

/** The fields of a segment that can be changed. Those left out stay. */
export const SegmentChanges = Schema.Struct(partial(given))
export type SegmentChanges = typeof SegmentChanges.Type

/** The users that match rules at the moment: their number, and a sample, the latest active first. */
export const RulesPreview = Schema.Struct({ user_count: Count, sample: Schema.Array(UserSummary) }).annotate({
  identifier: "RulesPreview",
})
