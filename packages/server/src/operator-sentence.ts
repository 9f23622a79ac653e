/** One sentence for the operator about why the service could not start. */
export const operatorSentence = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  if (code === "EADDRINUSE") return `Port ${port} of ${address} is taken: stop what uses it, or set PORT to another.`
  if (code === "EACCES" && port !== undefined)
    return `Port ${port} needs privileges that this user does not have: set PORT to another.`
  if (code === "EADDRNOTAVAIL") return `This machine has no address ${address}: set HOST to one that it has.`
  return error.message || String(code ?? error.name)
}
