import { Data, type Effect } from "effect"

/** A mail in both forms. `to` is one address. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The project that it is sent for. No part of the mail. */
  readonly project_id?: string
}

/** The mail could not be sent. `reason` is for the log and contains no address. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{ readonly reason: string }> {}

/** Sends mails. */
export interface Mailer {
  /**
   * Succeeds when the mail was accepted for delivery, once, with its texts unchanged. No text of the mail can add a header or a recipient: it
   * fails for a `to` that is not one plain address of at most 254 characters, a subject of several lines and text that is not well-formed.
   * The mails after it are sent all the same.
   */
  send(mail: Mail): Effect.Effect<void, MailNotSent>
}
