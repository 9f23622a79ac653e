import { Schema, SchemaGetter } from "effect"
import { hiding, optional, withDefault } from "../environment/settings.ts"
import { type Mailbox, mailboxText, parseMailbox } from "./mailbox.ts"
import { parseSmtpUrl } from "./smtp-url.ts"

const SmtpUrl = Schema.String.check(
  Schema.makeFilter(
    (value: string) =>
      parseSmtpUrl(value) !== null ||
      "must be like smtps://user:password@mail.example or smtp://mail.example:25, with special characters of user and password percent-encoded",
  ),
)

const nobody: Mailbox = { name: "", address: "" }

const OneMailbox = Schema.String.check(
  Schema.makeFilter(
    (value: string) => parseMailbox(value) !== null || "must be one mailbox, like Hearth <no-reply@mail.example>",
  ),
).pipe(
  Schema.decodeTo(Schema.Struct({ name: Schema.String, address: Schema.String }), {
    decode: SchemaGetter.transform((value: string) => parseMailbox(value) ?? nobody),
    encode: SchemaGetter.transform(mailboxText),
  }),
)

/** How mails go out [B11, F2]. */
export const mailSettings = {
  SMTP_URL: hiding(
    "password",
    optional(
      "The mail server: smtps:// for TLS, or smtp:// for TLS where the server offers it. Without it no mail is sent: the newest are kept in memory.",
      SmtpUrl,
      "smtps://user:password@mail.example",
    ),
  ),
  MAIL_FROM: withDefault(
    "Whom mails are from.",
    OneMailbox,
    { name: "Hearth", address: "no-reply@localhost" },
    "Hearth <no-reply@localhost>",
  ),
}
