import { setTimeout as wait } from "node:timers/promises"
import type pg from "pg"
import { openClient } from "./dump.ts"

/** What may stop a backup or a restore, and the address at which what a connection does is cancelled then. */
export interface Stop {
  readonly url: URL
  readonly signal: AbortSignal
}

/** A signal that is never aborted. */
export const never: AbortSignal = new AbortController().signal

// One that comes before the server has begun with a statement cancels nothing.
const againMillis = 500

const cancelStatement = async (url: URL, client: pg.Client): Promise<void> => {
  const { processID } = client as pg.Client & { readonly processID: number | null }
  const other = await openClient(url, client.database ?? "postgres")
  await other.query("select pg_cancel_backend($1)", [processID]).finally(() => other.end())
}

/**
 * Does some work on a connection, and rejects soon after `signal` is aborted: the statement that is under way is cancelled, however
 * long it would take. The connection may be used afterwards, and nothing of it is cancelled any more.
 */
export const whileNotStopped = async <A>(client: pg.Client, stop: Stop, work: () => Promise<A>): Promise<A> => {
  const { signal, url } = stop
  signal.throwIfAborted()
  const over = new AbortController()
  const cancelUntilOver = async () => {
    while (!over.signal.aborted) {
      // Where it cannot be cancelled, it is waited for.
      await cancelStatement(url, client).catch(() => {})
      await wait(againMillis, undefined, { signal: over.signal }).catch(() => {})
    }
  }
  let cancelling: Promise<void> | undefined
  const cancel = () => {
    cancelling = cancelUntilOver()
  }
  signal.addEventListener("abort", cancel, { once: true })
  try {
    const answer = await work()
    signal.throwIfAborted()
    return answer
  } finally {
    signal.removeEventListener("abort", cancel)
    over.abort()
    await cancelling
  }
}
