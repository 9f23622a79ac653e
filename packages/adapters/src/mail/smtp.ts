import { type Mail, type Mailer, MailNotSent } from "@hearth/core"
import { Effect, Semaphore } from "effect"
import { createTransport } from "nodemailer"
import { encodeWord } from "nodemailer/lib/mime-funcs"
import type { LogFacts } from "../system/log.ts"
import type { Mailbox } from "./mailbox.ts"
import { refuseUnsafe } from "./refusal.ts"
import { parseSmtpUrl } from "./smtp-url.ts"

/** Called for mails that were not sent. The facts contain no address. */
export type MailLog = (message: string, facts: LogFacts) => void

/** How an SMTP mailer sends. */
export interface SmtpMailerSettings {
  /** `smtp://` or `smtps://`. A certificate must be valid for the host, or nothing is sent; `NODE_EXTRA_CA_CERTS` adds authorities. */
  readonly url: string
  readonly from: Mailbox
  readonly log?: MailLog
  /** How long a mail may take once it has its turn; 15 seconds where left out. With the wait for its turn, six times as long. */
  readonly patienceMillis?: number
}

/** A mailer with connections of its own. */
export interface SmtpMailer extends Mailer {
  /** Takes no more mails, waits for those under way, and hangs up. */
  close(): Promise<void>
}

/** The parts of an error that contain no address: server replies and messages repeat addresses. */
const reasonOf = (error: unknown): string => {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  return [command, code, responseCode].filter((fact) => fact !== undefined).join(" ") || "unknown fault"
}

/**
 * A subject as it is written into the header. A subject that looks like an encoded word would be decoded and shown as
 * another text; a long one without a space would be a longer line than servers accept.
 */
const subjectField = (subject: string): string =>
  /^[\x20-\x7E]{0,200}$/.test(subject) && !subject.includes("=?") ? subject : encodeWord(subject, "B", 52)

/**
 * The text part of a mail. Plain ASCII goes as it is, so that an address in it stays in one piece also for readers that
 * decode nothing: a long line alone would have it written as `=3D` and broken. Anything else is left to be encoded, and
 * so is text without HTML: it is no part but the whole mail.
 */
const textPart = ({ text, html }: Mail) =>
  text !== "" && html !== "" && /^[\t\x20-\x7E]{0,900}(\r?\n[\t\x20-\x7E]{0,900})*$/.test(text)
    ? {
        raw: `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${text.replaceAll(/\r?\n/g, "\r\n")}`,
      }
    : text

const mostConnections = 5
// Times the patience with one mail, its turn included.
const mostWaits = 6

const openTransport = (url: string, patienceMillis: number) => {
  const server = parseSmtpUrl(url)
  if (server === null) throw new Error("The URL of the mail server is malformed.")
  const { host, port, secure, user } = server
  const connectMillis = Math.min(5_000, patienceMillis)
  return createTransport({
    host,
    port,
    secure,
    ...(user === null ? undefined : { auth: { user: user.name, pass: user.password } }),
    pool: true,
    maxConnections: mostConnections,
    dnsTimeout: connectMillis,
    connectionTimeout: connectMillis,
    greetingTimeout: connectMillis,
    socketTimeout: patienceMillis,
  })
}

/**
 * Sends over SMTP, on up to five pooled connections. A mail that takes too long fails and its connection is closed; when
 * that happens after the server has the whole mail, it may be delivered all the same.
 */
export const smtpMailer = ({ url, from, log, patienceMillis = 15_000 }: SmtpMailerSettings): SmtpMailer => {
  const transport = openTransport(url, patienceMillis)
  const underWay = new Set<Promise<unknown>>()
  // Where mails wait for a connection, so that the time in line is none of the server's.
  const turns = Semaphore.makeUnsafe(mostConnections)
  let open = true

  const handOver = async (mail: Mail, signal: AbortSignal) => {
    const { to, subject, html } = mail
    const sending = transport.sendMail({
      from: { ...from },
      // As an object it is taken for one address and not parsed.
      to: { name: "", address: to },
      subject: subjectField(subject),
      text: textPart(mail),
      html,
      // Asks for no automatic replies, such as out-of-office notes.
      headers: { "Auto-Submitted": "auto-generated" },
      signal,
    })
    underWay.add(sending)
    await sending.finally(() => underWay.delete(sending))
  }

  const failed = (reason: string) => Effect.fail(new MailNotSent({ reason }))

  const sendNow = (mail: Mail) =>
    Effect.tryPromise({
      try: (signal) => handOver(mail, signal),
      catch: (error) => new MailNotSent({ reason: reasonOf(error) }),
    }).pipe(
      Effect.timeoutOrElse({
        duration: patienceMillis,
        orElse: () => failed(`not sent within ${patienceMillis} ms`),
      }),
    )

  const sendInTurn = (mail: Mail) =>
    turns
      .withPermits(1)(sendNow(mail))
      .pipe(
        Effect.timeoutOrElse({
          duration: mostWaits * patienceMillis,
          orElse: () => failed("too many mails wait for the server"),
        }),
      )

  return {
    send: (mail) =>
      refuseUnsafe(mail).pipe(
        Effect.andThen(() => (open ? sendInTurn(mail) : failed("the mailer is closed"))),
        Effect.tapError(({ reason }) => Effect.sync(() => log?.("A mail was not sent.", { reason }))),
      ),
    close: async () => {
      open = false
      // When all of them are free, nobody is left in line.
      await Effect.runPromise(turns.withPermits(mostConnections)(Effect.void))
      await Promise.allSettled(underWay)
      transport.close()
    },
  }
}

/** Connects to the server of a URL and signs in, without sending anything. Answers what fails, or null. */
export const checkSmtp = async (url: string): Promise<string | null> => {
  const transport = openTransport(url, 10_000)
  try {
    await transport.verify()
    return null
  } catch (error) {
    return reasonOf(error)
  } finally {
    transport.close()
  }
}
