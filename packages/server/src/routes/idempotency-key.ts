import { IdempotencyKey } from "@hearth/core/idempotency"
import { Schema } from "effect"

/** The header that makes a write of the admin plane safe to repeat, for a route's `headers` [G4.2]. */
export const idempotencyKey = { "Idempotency-Key": Schema.optionalKey(IdempotencyKey) }
