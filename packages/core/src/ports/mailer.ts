import { Data, type Effect } from "effect"

/** A mail in both forms. `to` is one address. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The mail could not be handed over. `reason` is for the log; it names no address. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{ readonly reason: string }> {}

/** Hands mails over for delivery. */
export interface Mailer {
  /** Succeeds when the mail was taken over. Nothing of the mail can become a header or another recipient. */
  send(mail: Mail): Effect.Effect<void, MailNotSent>
}
