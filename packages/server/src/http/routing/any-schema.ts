import type { Schema } from "effect"

/** A schema that needs no services to decode and encode. */
export type AnySchema = Schema.ConstraintCodec<unknown, unknown>
