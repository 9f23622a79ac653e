/** A signal that is aborted when the process is asked to end, from this call on. */
export const listenForStop = (): AbortSignal => {
  const stopping = new AbortController()
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stopping.abort(signal))
  return stopping.signal
}
