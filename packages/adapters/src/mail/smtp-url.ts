/** What an SMTP URL says about a server and how to talk to it. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (`smtps`). Without it the connection begins in the clear, and STARTTLS follows where it is offered. */
  readonly secure: boolean
  readonly user: { readonly name: string; readonly password: string } | null
}

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * The server that a URL names: `smtp://` (port 587 where none is said) or `smtps://` (465), with a percent-encoded user and
 * password where the server asks for them. Null for any other text, also for one with a path or a query.
 */
export const parseSmtpUrl = (text: string): SmtpServer | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "") return null
  if ((url.pathname !== "" && url.pathname !== "/") || url.search !== "" || url.hash !== "" || url.port === "0")
    return null
  const name = decoded(url.username)
  const password = decoded(url.password)
  if (name === null || password === null || (name === "") !== (password === "")) return null
  const secure = url.protocol === "smtps:"
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    user: name === "" ? null : { name, password },
  }
}
