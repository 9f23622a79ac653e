import { Schema } from "effect"
import { JsonObject, Name, Prose, Timestamp, Uuid } from "../schema.ts"

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
