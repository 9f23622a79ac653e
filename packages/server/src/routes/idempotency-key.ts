import { IdempotencyKey } from "@hearth/core/idempotency"
import { Schema } from "effect"

/** The header that makes a write safe to repeat, for a route's `headers` [G4.2]. */
export const idempotencyKey = { "Idempotency-Key": Schema.optionalKey(IdempotencyKey) }

interface MayHaveKey {
  readonly idempotency_key?: string
}

/** Adds the key of the header to a body that has none of its own. */
export const addHeaderKey = <Body extends MayHaveKey>(
  body: Body,
  headers: { readonly "Idempotency-Key"?: string },
): Body & MayHaveKey => {
  const key = headers["Idempotency-Key"]
  return key === undefined ? body : { idempotency_key: key, ...body }
}
