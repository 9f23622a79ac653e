/** Something that operators want to count or to be woken by. No signal carries personal data or a credential. */
export type Signal =
  /** A batch of events was handled; the oldest of them had waited for `lag_seconds`. */
  | {
      readonly name: "events_reacted"
      readonly project_id: string
      readonly events: number
      readonly lag_seconds: number
    }
  /** The queue could not be told that events wait; they are handled at the next sweep. */
  | { readonly name: "nudge_failed"; readonly project_id: string }
  /** A project could not be looked after; it is tried again at the next sweep. */
  | { readonly name: "tending_failed"; readonly project_id: string; readonly reason: string }
  /** A refresh token was presented again after its rotation, and its session was ended [B6]. */
  | { readonly name: "refresh_reuse_detected"; readonly plane: "client" | "developer" }
  /** A login was refused. */
  | { readonly name: "login_failed"; readonly plane: "client" | "developer" }
  /** A password was hashed anew, because its hash was of an older kind [B7]. */
  | { readonly name: "password_rehashed"; readonly plane: "client" | "developer" }

/** Where the core says what operators should know. Never fails and never waits. */
export interface Signals {
  emit(signal: Signal): void
}
