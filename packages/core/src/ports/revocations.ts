import type { Effect } from "effect"

/** Remembers answers about rights. Both methods act at once and do not throw. */
export interface RevocationSubscriber {
  /** Forgets every answer that depends on one of these ids, and does not keep one whose look-up began before. */
  forget(ids: ReadonlyArray<string>): void
  /** Forgets all answers: changes may have been missed. */
  forgetAll(): void
}

/**
 * Tells every process whose rights have changed: ids of projects, developers, users and sessions, and the nil uuid for a
 * domain that nobody had until now; nothing else [B1]. In this process it holds from the next request, in others within a
 * second; where they cannot be told, what they remember is at most five seconds old.
 */
export interface Revocations {
  /**
   * Makes subscribers of this process forget at once, and tells other processes without waiting for them. To be called when
   * the change has been committed or may have been. Never fails.
   */
  announce(ids: ReadonlyArray<string>): Effect.Effect<void>
  /** Tells `subscriber` from now on of the changes of all processes. */
  subscribe(subscriber: RevocationSubscriber): void
  /** Whether the changes of other processes are heard. While they are not, no answer may be used for longer than a second. */
  isHearing(): boolean
}
