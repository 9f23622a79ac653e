import { Schema } from "effect"
import { Count, JsonObject, Name, Prose, partial, Timestamp, Uuid, withDefaults } from "../schema.ts"
import { UserSummary } from "../users/user.ts"

const fields = { name: Name, description: Schema.NullOr(Prose) }

/** A named set of users, described by rules (spec: segment). */
export const Segment = Schema.Struct({
  id: Uuid,
  ...fields,
  rules: JsonObject,
  /** Made by provisioning; read-only. */
  is_system: Schema.Boolean,
  user_count: Count,
  last_evaluated_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
}).annotate({ identifier: "Segment" })
export type Segment = typeof Segment.Type

// `rules` is any value on its way in: what is wrong with it has a code of its own.
const given = { ...fields, rules: Schema.Unknown }

/** The fields with which a segment is made. */
export const NewSegment = Schema.Struct(withDefaults(given, { description: null }))
export type NewSegment = typeof NewSegment.Type

/** The fields of a segment that can be changed; those left out stay. */
export const SegmentChanges = Schema.Struct(partial(given))
export type SegmentChanges = typeof SegmentChanges.Type

/** Whom rules describe at a moment: how many, and the first of them, the latest active first. */
export const RulesPreview = Schema.Struct({ user_count: Schema.Int, sample: Schema.Array(UserSummary) }).annotate({
  identifier: "RulesPreview",
})
