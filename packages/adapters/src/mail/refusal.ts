import { Email, type Mail, MailNotSent } from "@hearth/core"
import { Effect, Schema } from "effect"

const isEmail = Schema.is(Email)
const breaking = /[\p{Cc}\p{Zl}\p{Zp}]/u
// Some servers decode this in an address and then deliver to another one.
const encodedWord = /=\?.*\?=/

const refusalOf = ({ to, subject, text, html }: Mail): string | null => {
  if (!isEmail(to) || breaking.test(to) || encodedWord.test(to)) return "the recipient is not one address"
  if (breaking.test(subject)) return "the subject is not one line"
  return [to, subject, text, html].every((part) => part.isWellFormed()) ? null : "the text is not well-formed"
}

/** Fails for a mail that could be read as more than one recipient, or as another header. */
export const refuseUnsafe = (mail: Mail): Effect.Effect<void, MailNotSent> =>
  Effect.suspend(() => {
    const reason = refusalOf(mail)
    return reason === null ? Effect.void : Effect.fail(new MailNotSent({ reason }))
  })
