import type { Effect } from "effect"
import { failure } from "../failure.ts"

/** The queue of passwords to hash is full. */
export class HashingBusy extends failure(
  "HashingBusy",
  "unavailable",
  "UNAVAILABLE",
  "Too busy right now. Try again.",
) {}

/**
 * Hashes passwords outside of the event loop, a bounded number at once [B7]. Fails with `HashingBusy` while too many wait; one that is
 * interrupted waits no more. `line` is whose passwords these are, as a project's: too many of one line keep no other waiting.
 */
export interface PasswordHasher {
  /** The hash to store, in PHC or bcrypt format, of the whole password: another one each time. */
  hash(password: string, line?: string): Effect.Effect<string, HashingBusy>
  /**
   * Whether `password` matches `hash`, and whether the hash is outdated. Without a hash a dummy is verified, which takes
   * equally long and never matches. What is no hash never matches either.
   */
  verify(
    password: string,
    hash: string | null,
    line?: string,
  ): Effect.Effect<{ readonly matches: boolean; readonly outdated: boolean }, HashingBusy>
}

/** A hasher for each plane. When too many passwords of one plane wait, the other one's are hashed all the same [B14]. */
export interface PasswordHashers {
  readonly client: PasswordHasher
  readonly developer: PasswordHasher
}
