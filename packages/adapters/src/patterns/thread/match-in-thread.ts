import { Worker } from "node:worker_threads"
import { threadEnvironment } from "../../system/thread-environment.ts"
import type { MatchAnswer, MatchRequest } from "./messages.ts"

const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 }

// The sources run as they are, and what is built of them as JavaScript.
const main = new URL(import.meta.url.endsWith(".ts") ? "./main.ts" : "./main.js", import.meta.url)

interface Asked {
  readonly resolve: (found: ReadonlyArray<number>) => void
  readonly reject: (error: Error) => void
}

/** A thread that has been started, until it ends. */
class MatchingThread {
  readonly #worker: Worker
  readonly #asked = new Map<number, Asked>()
  #last = 0

  constructor(module: URL, onEnd: (reason: Error) => void) {
    this.#worker = new Worker(module, { resourceLimits, env: threadEnvironment() })
    // Who waits for an answer keeps the process; the thread does not.
    this.#worker.unref()
    this.#worker.on("message", ({ id, found }: MatchAnswer) => this.#settle(id, ({ resolve }) => resolve(found)))
    let reason = new Error("The thread that matches patterns has ended.")
    this.#worker.once("error", (error) => {
      reason = error as Error
    })
    this.#worker.once("exit", () => {
      onEnd(reason)
      for (const id of [...this.#asked.keys()]) this.#settle(id, ({ reject }) => reject(reason))
    })
  }

  match(request: Omit<MatchRequest, "id">) {
    return new Promise<ReadonlyArray<number>>((resolve, reject) => {
      this.#last += 1
      this.#asked.set(this.#last, { resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage({ id: this.#last, ...request } satisfies MatchRequest)
    })
  }

  #settle(id: number, settle: (asked: Asked) => void): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    if (this.#asked.size === 0) this.#worker.unref()
    if (asked !== undefined) settle(asked)
  }
}

/**
 * Matches patterns in a thread of its own, one text after the other: a match cannot be interrupted, and would keep everybody in the process
 * waiting. The thread starts with the first match and stays. Where it ends by itself, `onLost` is called with the reason and what waits is
 * rejected; the next match starts another.
 */
export const makeMatchInThread = (onLost: (reason: string) => void, module: URL = main) => {
  let thread: MatchingThread | null = null
  const start = () =>
    new MatchingThread(module, ({ message }) => {
      thread = null
      onLost(message)
    })
  return (request: Omit<MatchRequest, "id">): Promise<ReadonlyArray<number>> => {
    thread ??= start()
    return thread.match(request)
  }
}
