import { failure } from "../failure.ts"

/** The key was used for a call with another input [E5]. */
export class IdempotencyKeyReused extends failure(
  "IdempotencyKeyReused",
  "conflict",
  "IDEMPOTENCY_KEY_REUSED",
  "The idempotency key was used for a call with another input.",
) {}
