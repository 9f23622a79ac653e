/** An event for operators: for metrics and alerts. No signal has personal data or a credential. */
export type Signal =
  /** A batch of events was handled. The oldest of them had waited for `lag_seconds`. */
  | {
      readonly name: "events_reacted"
      readonly project_id: string
      readonly events: number
      readonly lag_seconds: number
    }
  /** A section of a user's export could not be read. The file has an error line instead. */
  | {
      readonly name: "export_section_failed"
      readonly project_id: string
      readonly section: string
      readonly reason: string
    }
  /** The queue could not be notified of pending work. The next poll does it. */
  | { readonly name: "nudge_failed"; readonly project_id: string }
  /** A project could not be processed. The next poll retries it. */
  | { readonly name: "processing_failed"; readonly project_id: string; readonly reason: string }
  /** An event or an outbox entry failed alone and was set aside: `retrying` is retried automatically, `dead` is not. */
  | {
      readonly name: "event_set_aside"
      readonly project_id: string
      readonly reaction: string
      readonly status: "retrying" | "dead"
    }
  /** Too many events were set aside for one reaction, so the project is paused: the fault is probably ours. */
  | {
      readonly name: "project_paused"
      readonly project_id: string
      readonly reaction: string
      readonly seconds: number
    }
  /** A task of a project died. It is retried in a minute; the other tasks continue. */
  | { readonly name: "task_failed"; readonly project_id: string; readonly task: string; readonly reason: string }
  /** A job of a project died or could not reach it. It is retried in five minutes. */
  | { readonly name: "job_failed"; readonly project_id: string; readonly job: string; readonly reason: string }
  /** A job could not be queued. It and the jobs after it wait for a later poll. */
  | { readonly name: "job_not_started"; readonly project_id: string; readonly job: string }
  /** A segment could not be evaluated. Its members stay as they were; it is retried later. */
  | {
      readonly name: "evaluation_failed"
      readonly project_id: string
      readonly segment_id: string
      readonly reason: string
    }
  /** An evaluation could not be queued. The segment is evaluated by the next regular run. */
  | { readonly name: "evaluation_not_started"; readonly project_id: string }
  /** The event of a paywall's webhook could not be written with it: the webhook is kept, and processed in the background. */
  | { readonly name: "webhook_postponed"; readonly project_id: string; readonly reason: string }
  /** The secret of an integration cannot be opened: it counts as having none [H1.2]. Once per look-up. */
  | { readonly name: "secret_unreadable"; readonly project_id: string; readonly provider: string }
  /** A stored time zone is unknown to this runtime and is taken for UTC. At most 64 characters; once per zone and process. */
  | { readonly name: "unknown_time_zone"; readonly zone: string }
  /** A refresh token was used again after its rotation, and its session was revoked [B6]. */
  | { readonly name: "refresh_reuse_detected"; readonly plane: "client" | "developer" }
  /** A login was refused. */
  | { readonly name: "login_failed"; readonly plane: "client" | "developer" }
  /** An identity token was refused. */
  | { readonly name: "identity_refused"; readonly provider: string }
  /** An identity was linked to a user. `upgraded` is whether the user was anonymous before. */
  | { readonly name: "identity_linked"; readonly provider: string; readonly upgraded: boolean }
  /** A session was revoked by its user from another one, or by a developer who disabled the user. */
  | { readonly name: "session_ended"; readonly by: "user" | "developer" }
  /** An email was proven for the first time, which ended what an unproven sign-up had left [B15]. */
  | { readonly name: "email_proven" }
  /** A mail with a magic link could not be sent. */
  | { readonly name: "magic_link_not_sent"; readonly reason: string }
  /** A magic link was refused: unknown, expired or used. */
  | { readonly name: "magic_link_refused" }
  /** A push provider refused the credentials of a project. `reason` is its reason code. */
  | {
      readonly name: "push_misconfigured"
      readonly project_id: string
      readonly provider: string
      readonly reason: string
    }
  /** Push tokens of a batch belong to another app or sender: one is a mistake of an app, many are one of the credentials. */
  | {
      readonly name: "push_tokens_mismatch"
      readonly project_id: string
      readonly provider: string
      readonly tokens: number
    }
  /** The thread that sends pushes has ended by itself; another one takes its place. What was under way is `unknown`. */
  | { readonly name: "push_thread_lost"; readonly reason: string }
  /** The thread that matches long texts has ended by itself; another one takes its place. Its texts are matched in the process. */
  | { readonly name: "pattern_thread_lost"; readonly reason: string }
  /** A password was rehashed because its hash was outdated [B7]. */
  | { readonly name: "password_rehashed"; readonly plane: "client" | "developer" }

/** Where the core emits signals for operators. */
export interface Signals {
  /** Takes in a signal of any kind, once each time it is called, and leaves it as it is. Never fails and never waits. */
  emit(signal: Signal): void
}
