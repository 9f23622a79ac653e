import { Email, type Mail, type Mailer, MailNotSent } from "@hearth/core"
import { Effect, Schema } from "effect"

/** A mailer that records mails, and that can be made to fail. */
export interface MemoryMailer extends Mailer {
  /** What was sent, the oldest first. */
  readonly sent: ReadonlyArray<Mail>
  /** From now on every mail fails (`true`), or is accepted again (`false`). */
  failing(on: boolean): void
}

/** Delivers nothing. Refuses what the SMTP mailer refuses: another number of addresses than one, control characters in a subject. */
export const memoryMailer = (): MemoryMailer => {
  const sent: Array<Mail> = []
  let fails = false
  return {
    sent,
    failing: (on) => {
      fails = on
    },
    send: (mail) =>
      Effect.suspend(() => {
        const reason = refusalOf(mail) ?? (fails ? "this mailer was made to fail" : null)
        if (reason !== null) return Effect.fail(new MailNotSent({ reason }))
        const { to, subject, text, html } = mail
        sent.push({ to, subject, text, html })
        return Effect.void
      }),
  }
}

const isEmail = Schema.is(Email)
const breaking = /[\p{Cc}\p{Zl}\p{Zp}]/u
// Some servers decode this in an address and then deliver to another one.
const encodedWord = /=\?.*\?=/

const refusalOf = ({ to, subject, text, html }: Mail): string | null => {
  if (!isEmail(to) || breaking.test(to) || encodedWord.test(to)) return "the recipient is not one address"
  if (breaking.test(subject)) return "the subject is not one line"
  return [to, subject, text, html].every((part) => part.isWellFormed()) ? null : "the text is not well-formed"
}
