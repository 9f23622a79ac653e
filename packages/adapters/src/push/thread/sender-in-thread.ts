import { Worker } from "node:worker_threads"
import type { PushMessage, PushOutcome } from "@hearth/core/push"
import { threadEnvironment } from "../../system/thread-environment.ts"
import type { PushSender, SenderSettings } from "../sender.ts"
import type { ThreadAnswer, ThreadRequest } from "./messages.ts"

// Streams of HTTP/2 outlive each small collection of garbage: with a small heap, what they leave is collected soon and at little cost.
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }

// The sources run as they are, and what is built of them as JavaScript.
const main = new URL(import.meta.url.endsWith(".ts") ? "./main.ts" : "./main.js", import.meta.url)

const lost: PushOutcome = { kind: "unknown", reason: "ThreadLost" }
const notBegun: PushOutcome = { kind: "retry", reason: "NotBegun", after_seconds: null }

interface Batch {
  readonly messages: ReadonlyArray<PushMessage>
  readonly settle: (outcomes: ReadonlyArray<PushOutcome>) => void
}

/** A thread that has been started, until it ends. */
class SendingThread {
  readonly #worker: Worker
  readonly #batches = new Map<number, Batch>()
  readonly #ended: Promise<void>
  #begun = 0
  #isReady = false
  #settleClosed = () => {}

  constructor(module: URL, settings: SenderSettings, onEnd: (reason: string) => void) {
    this.#worker = new Worker(module, { workerData: settings, resourceLimits, env: threadEnvironment() })
    // What waits for an answer keeps the process; the thread does not.
    this.#worker.unref()
    this.#worker.on("message", (said: ThreadAnswer) => this.#hear(said))
    let reason = "it has ended"
    this.#worker.on("error", (error) => {
      reason = String(error)
    })
    this.#ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        onEnd(reason)
        this.#giveUp()
        resolve()
      })
    })
  }

  send(account: Parameters<PushSender["send"]>[0], messages: ReadonlyArray<PushMessage>, stopping: AbortSignal) {
    return new Promise<ReadonlyArray<PushOutcome>>((resolve) => {
      const batch = this.#begun
      this.#begun += 1
      const stop = () => this.#ask({ kind: "stop", batch })
      stopping.addEventListener("abort", stop, { once: true })
      this.#batches.set(batch, {
        messages,
        settle: (outcomes) => {
          stopping.removeEventListener("abort", stop)
          this.#batches.delete(batch)
          if (this.#batches.size === 0) this.#worker.unref()
          resolve(outcomes)
        },
      })
      this.#worker.ref()
      this.#ask({ kind: "send", batch, account, messages })
      if (stopping.aborted) stop()
    })
  }

  /** Never rejects. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#settleClosed = resolve
    })
    this.#worker.ref()
    this.#ask({ kind: "close" })
    await Promise.race([closed, this.#ended])
    await this.#worker.terminate()
  }

  #ask(request: ThreadRequest): void {
    this.#worker.postMessage(request)
  }

  #hear(said: ThreadAnswer): void {
    if (said.kind === "ready") this.#isReady = true
    else if (said.kind === "closed") this.#settleClosed()
    else this.#batches.get(said.batch)?.settle(said.outcomes)
  }

  /** The thread is gone. Where it never took requests, nothing was sent. */
  #giveUp(): void {
    const outcome = this.#isReady ? lost : notBegun
    for (const { messages, settle } of [...this.#batches.values()]) settle(messages.map(() => outcome))
  }
}

/**
 * Sends from a thread of its own: a campaign neither keeps calls of the API waiting, nor does its garbage fill the heap that they use.
 * The thread starts with the first push and stays, for its connections and tokens. Where it ends by itself, `onLost` is called with the
 * reason, what was under way is `unknown`, and the next push starts another.
 */
export const makeSenderInThread = (
  settings: SenderSettings,
  onLost: (reason: string) => void,
  module: URL = main,
): PushSender => {
  let thread: SendingThread | null = null
  let isClosing = false

  const start = () =>
    new SendingThread(module, settings, (reason) => {
      thread = null
      if (!isClosing) onLost(reason)
    })
  return {
    send: async (account, messages, stopping) => {
      if (isClosing) return messages.map(() => notBegun)
      thread ??= start()
      return await thread.send(account, messages, stopping)
    },
    close: async () => {
      isClosing = true
      await thread?.close()
    },
  }
}
