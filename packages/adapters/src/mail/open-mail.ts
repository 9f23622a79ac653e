import type { Clock, Mailer } from "@hearth/core"
import type { Mailbox } from "./mailbox.ts"
import { type KeptMail, outboxMailer } from "./outbox.ts"
import type { MailLog } from "./smtp.ts"

/** Where mails go. */
export interface MailConfig {
  /** The mail server; null for the development outbox. */
  readonly smtpUrl: string | null
  readonly from: Mailbox
}

/** The mailer of a process. */
export interface OpenMail {
  readonly mailer: Mailer
  /** What the development outbox holds, the newest first; null where mails are really sent. */
  readonly outbox: (() => ReadonlyArray<KeptMail>) | null
  close(): Promise<void>
}

/**
 * Opens the SMTP mailer where there is a server, otherwise the development outbox [B11]. The library for SMTP is
 * loaded only where it is needed, and nothing is connected until a mail is sent.
 */
export const openMail = async ({ smtpUrl, from }: MailConfig, clock: Clock, log: MailLog): Promise<OpenMail> => {
  if (smtpUrl === null) {
    const mailer = outboxMailer({ clock })
    return { mailer, outbox: mailer.list, close: async () => {} }
  }
  const { smtpMailer } = await import("./smtp.ts")
  const mailer = smtpMailer({ url: smtpUrl, from, log })
  return { mailer, outbox: null, close: mailer.close }
}
