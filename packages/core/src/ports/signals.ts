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
  /** The queue could not be told that work waits; it is done at the next poll. */
  | { readonly name: "nudge_failed"; readonly project_id: string }
  /** A project could not be processed; it is tried again at the next poll. */
  | { readonly name: "processing_failed"; readonly project_id: string; readonly reason: string }
  /** An event or an outbox entry failed alone and was set aside: `retrying` comes again by itself, `dead` does not. */
  | {
      readonly name: "event_set_aside"
      readonly project_id: string
      readonly reaction: string
      readonly status: "retrying" | "dead"
    }
  /** So much was set aside for one reaction that the project waits: the fault is ours. */
  | {
      readonly name: "project_paused"
      readonly project_id: string
      readonly reaction: string
      readonly seconds: number
    }
  /** A task of a project died; it is tried again in a minute, the others go on. */
  | { readonly name: "task_failed"; readonly project_id: string; readonly task: string; readonly reason: string }
  /** A job of a project died or could not reach it; it is tried again in five minutes. */
  | { readonly name: "job_failed"; readonly project_id: string; readonly job: string; readonly reason: string }
  /** The queue could not be told of a job; it and those after it wait for a later poll. */
  | { readonly name: "job_not_started"; readonly project_id: string; readonly job: string }
  /** A segment could not be evaluated: its members stay what they were. It is tried again later. */
  | {
      readonly name: "evaluation_failed"
      readonly project_id: string
      readonly segment_id: string
      readonly reason: string
    }
  /** The queue could not be told that a segment is to be evaluated; it is evaluated in its turn. */
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
