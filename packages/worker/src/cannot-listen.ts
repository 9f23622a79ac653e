const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process listens there",
  EACCES: "this user may not",
  EADDRNOTAVAIL: "this machine does not have that address",
  ENOTFOUND: "there is no such host",
}

/** The port cannot be listened on. `message` is one sentence for the operator. */
export class CannotListen extends Error {
  override readonly name = "CannotListen"

  constructor({ host, port }: { readonly host: string; readonly port: number }, cause: unknown) {
    const reason = reasons[(cause as NodeJS.ErrnoException).code ?? ""] ?? String(cause)
    super(`Cannot listen on ${host}:${port}: ${reason}.`, { cause })
  }
}
