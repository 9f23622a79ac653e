// From the first moment on, so that a signal during the start ends in order too. A SIGHUP comes when the terminal is closed.
const stopping = new AbortController()
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stopping.abort(signal))
const { work } = await import("./work.ts")
await work(stopping.signal)
