import { IdempotencyKey } from "@hearth/core/idempotency"
import { Schema } from "effect"

/** The header that makes a write safe to repeat, for a route's `headers` [G4.2]. */
export const idempotencyKey = { "Idempotency-Key": Schema.optionalKey(IdempotencyKey) }

interface MayHaveKey {
  readonly idempotency_key?: string
}

/** A body with the key of the header, where it has none of its own. */
export const withKeyOf = <Body extends MayHaveKey>(
  headers: { readonly "Idempotency-Key"?: string },
  body: Body,
): Body & MayHaveKey => {
  const key = headers["Idempotency-Key"]
  return key === undefined ? body : { idempotency_key: key, ...body }
}
