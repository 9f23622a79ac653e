/** Something that operators want to count or to be woken by. No signal carries personal data or a credential. */
export type Signal =
  /** A batch of events was handled; the oldest of them had waited for `lag_seconds`. */
  | {
      readonly name: "events_reacted"
      readonly project_id: string
      readonly events: number
      readonly lag_seconds: number
    }
  /** A section of the file about a user could not be read; the file says so in its place. */
  | {
      readonly name: "export_section_failed"
      readonly project_id: string
      readonly section: string
      readonly reason: string
    }
  /** The queue could not be told that events wait; they are handled at the next sweep. */
  | { readonly name: "nudge_failed"; readonly project_id: string }
  /** A project could not be looked after; it is tried again at the next sweep. */
  | { readonly name: "tending_failed"; readonly project_id: string; readonly reason: string }
  /**
   * Segments could not be evaluated: one, whose members stay what they were, or all of a project where `segment_id` is null.
   * It is tried again later.
   */
  | {
      readonly name: "evaluation_failed"
      readonly project_id: string
      readonly segment_id: string | null
      readonly reason: string
    }
  /** The queue could not be told that segments are to be evaluated; this project and those after it wait for a later sweep. */
  | { readonly name: "evaluation_not_started"; readonly project_id: string }
  /** A refresh token was presented again after its rotation, and its session was ended [B6]. */
  | { readonly name: "refresh_reuse_detected"; readonly plane: "client" | "developer" }
  /** A login was refused. */
  | { readonly name: "login_failed"; readonly plane: "client" | "developer" }
  /** An identity token was refused. */
  | { readonly name: "identity_refused"; readonly provider: string }
  /** An identity was linked to a user; `upgraded` where the user had been anonymous. */
  | { readonly name: "identity_linked"; readonly provider: string; readonly upgraded: boolean }
  /** A session was ended by its user from another one, or by a developer who disabled the user. */
  | { readonly name: "session_ended"; readonly by: "user" | "developer" }
  /** A mail with a link could not be handed over. */
  | { readonly name: "magic_link_not_sent"; readonly reason: string }
  /** A link was presented that is unknown, expired or used. */
  | { readonly name: "magic_link_refused" }
  /** A password was hashed anew, because its hash was of an older kind [B7]. */
  | { readonly name: "password_rehashed"; readonly plane: "client" | "developer" }

/** Where the core says what operators should know. Never fails and never waits. */
export interface Signals {
  emit(signal: Signal): void
}
