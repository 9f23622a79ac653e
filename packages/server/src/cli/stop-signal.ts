// A SIGHUP comes when the terminal is closed.
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const
type StopSignal = keyof typeof exitCodes
const stopSignals: ReadonlyArray<StopSignal> = ["SIGTERM", "SIGINT", "SIGHUP"]

/** A signal that is aborted when the process is asked to end, from this call on. */
export const listenForStop = (): AbortSignal => {
  const stopping = new AbortController()
  for (const signal of stopSignals) process.on(signal, () => stopping.abort(signal))
  return stopping.signal
}

// A Ctrl-C comes from the terminal, and again from pnpm or npx, which pass theirs on.
const echoMillis = 500

/** A command was ended by Ctrl-C, a SIGTERM or a SIGHUP. The message says what is there now; the exit code is that of shells for the signal. */
export class Interrupted extends Error {
  override readonly name = "Interrupted"
  readonly exitCode: number

  constructor(signal: unknown, message: string) {
    super(message)
    this.exitCode = exitCodes[signal as StopSignal] ?? 1
  }
}

/** What a command says when it is interrupted. */
export interface InterruptedSays {
  /** What is there when it has ended in order. */
  readonly stopped: string
  /** What may be left where a second signal ends it at once. */
  readonly left: string
}

/**
 * Does some work that Ctrl-C, SIGTERM and SIGHUP end in order: the signal is aborted, and the work takes back what it has begun. Rejects
 * with `Interrupted` then; work that is done nevertheless is answered. A second signal ends the process at once.
 */
export const interruptible = async <A>(
  says: InterruptedSays,
  work: (stopping: AbortSignal) => Promise<A>,
): Promise<A> => {
  const stopping = listenForStop()
  const interrupted = (message: string) => new Interrupted(stopping.reason, message)
  stopping.addEventListener("abort", () => {
    const begun = performance.now()
    process.stderr.write("Stopping, and taking back what was begun. Once more ends it at once.\n")
    for (const signal of stopSignals)
      process.on(signal, () => {
        if (performance.now() - begun < echoMillis) return
        process.stderr.write(`${says.left}\n`)
        process.exit(exitCodes[signal])
      })
  })
  try {
    return await work(stopping)
  } catch (error) {
    if (!stopping.aborted) throw error
    // What went wrong while it was taken back is for the operator, too.
    const isOwn = error instanceof Error && error.name === "BackupUnusable"
    throw interrupted(isOwn ? `${says.stopped} ${error.message}` : says.stopped)
  }
}
