import type { Effect } from "effect"
import { failure } from "../failure.ts"

/** So many passwords wait to be hashed that another one would only make all of them later. */
export class HashingBusy extends failure(
  "HashingBusy",
  "unavailable",
  "UNAVAILABLE",
  "Too busy right now. Try again.",
) {}

/** Hashes passwords, off the event loop and a bounded number at once [B7]. */
export interface PasswordHasher {
  /** The hash to store, in PHC or bcrypt form. No part of the password is cut off. */
  hash(password: string): Effect.Effect<string, HashingBusy>
  /** Whether `password` belongs to `hash`, and whether the hash should be made anew. Without a hash a dummy is verified, which takes equally long and never matches. */
  verify(
    password: string,
    hash: string | null,
  ): Effect.Effect<{ readonly matches: boolean; readonly outdated: boolean }, HashingBusy>
}
