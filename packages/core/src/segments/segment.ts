import { Schema } from "effect"
import { JsonObject, Name, Prose, Timestamp, Uuid, withDefault } from "../schema.ts"
import { UserSummary } from "../users/user.ts"

/** A named set of users, described by rules (spec: segment). */
export const Segment = Schema.Struct({
  id: Uuid,
  name: Name,
  description: Schema.NullOr(Prose),
  rules: JsonObject,
  /** Made by provisioning; read-only. */
  is_system: Schema.Boolean,
  user_count: Schema.Int,
  last_evaluated_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
}).annotate({ identifier: "Segment" })
export type Segment = typeof Segment.Type

/** The fields with which a segment is made. `rules` is any value here: what is wrong with it has a code of its own. */
export const NewSegment = Schema.Struct({
  name: Name,
  description: withDefault(Schema.NullOr(Prose), null),
  rules: Schema.Unknown,
})
export type NewSegment = typeof NewSegment.Type

/** The fields of a segment that can be changed; those left out stay. */
export const SegmentChanges = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Schema.NullOr(Prose)),
  rules: Schema.optionalKey(Schema.Unknown),
})
export type SegmentChanges = typeof SegmentChanges.Type

/** Whom rules describe at a moment: how many, and the first of them, the latest active first. */
export const RulesPreview = Schema.Struct({ user_count: Schema.Int, sample: Schema.Array(UserSummary) }).annotate({
  identifier: "RulesPreview",
})
