import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"
import { certificate } from "./certificate.ts"
import { type ReadMail, readMail } from "./read-mail.ts"

/** A mail as the server accepted it. */
export interface ServedMail extends ReadMail {
  readonly sender: string
  readonly recipients: ReadonlyArray<string>
  readonly subject: string
  /** The plain text and the HTML, decoded and with LF between lines. */
  readonly text: string
  readonly html: string
  /** The message as it came, one character per byte. */
  readonly raw: string
  /** Whether it came over TLS. */
  readonly secure: boolean
  /** Who was logged in. */
  readonly user: string | null
}

/** How a server behaves. */
export interface MailServerOptions extends SMTPServerOptions {
  /** The result for a complete mail: null accepts it. */
  readonly verdict?: () => Error | null | Promise<Error | null>
}

/** A mail server on loopback. */
export interface MailServer {
  readonly port: number
  readonly arrived: ReadonlyArray<ServedMail>
  /** How many clients are connected. */
  clients(): number
  /** Stops the server and closes all connections. */
  stop(): Promise<void>
  /** Listens on the same port again. */
  start(): Promise<void>
}

const servedMail = (raw: string, { envelope, secure, user }: SMTPServerSession): ServedMail => {
  const mail = readMail(raw)
  return {
    ...mail,
    raw,
    sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
    recipients: envelope.rcptTo.map(({ address }) => address),
    subject: mail.fields.find(([name]) => name === "subject")?.[1] ?? "",
    text: mail.parts.get("text/plain") ?? "",
    html: mail.parts.get("text/html") ?? "",
    secure,
    user: user === undefined ? null : String(user),
  }
}

const credentials = { username: "postmaster@hearth.test", password: "p:a/s%s@#? ü" }

/** The URL of the server, for a client that does not log in. */
export const urlOf = ({ port }: MailServer, scheme: string): string => `${scheme}://127.0.0.1:${port}`

/** The same with the only user and password that the server knows. */
export const urlWithLogin = (server: MailServer, scheme: string, password = credentials.password): string =>
  urlOf(server, scheme).replace("//", `//${encodeURIComponent(credentials.username)}:${encodeURIComponent(password)}@`)

/** Starts a mail server on a free port: without STARTTLS and without login, unless `options` say otherwise. */
export const startMailServer = async ({
  verdict = () => null,
  ...options
}: MailServerOptions = {}): Promise<MailServer> => {
  const arrived: Array<ServedMail> = []
  let port = 0
  let server: SMTPServer
  const launch = async () => {
    server = new SMTPServer({
      ...certificate,
      logger: false,
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      closeTimeout: 1,
      disableReverseLookup: true,
      onAuth: ({ username, password }, _session, callback) =>
        username === credentials.username && password === credentials.password
          ? callback(null, { user: username })
          : callback(new Error(`Unknown user ${username}`)),
      onData: (stream, session, callback) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", async () => {
          const refusal = await verdict()
          if (refusal !== null) return callback(refusal)
          arrived.push(servedMail(Buffer.concat(chunks).toString("latin1"), session))
          return callback()
        })
      },
      ...options,
    })
    // Some tests have clients that hang up early.
    server.on("error", () => {})
    server.listen(port, "127.0.0.1")
    await once(server.server, "listening")
    port = (server.server.address() as AddressInfo).port
  }
  await launch()
  return {
    get port() {
      return port
    },
    arrived,
    clients: () => server.connections.size,
    stop: () => new Promise((resolve) => server.close(resolve)),
    start: launch,
  }
}
