import { createRequire } from "node:module"
import type * as Undici from "undici"
import { type Answer, maxAnswerBytes, readErrorCode } from "../answer.ts"
import type { PushTiming } from "../timing.ts"

// Loaded with the first push: until then it takes no memory.
const undici = createRequire(import.meta.url).bind(null, "undici") as () => typeof Undici

// With HTTP/2, which Google speaks, a connection has up to 100 requests at once; with HTTP/1.1 one.
const connections = 32

/** Requests to one origin over a few connections that are kept. */
export interface HttpPool {
  /** The answer, within `2 × answerMillis`. `headers` are names and values in turn. */
  post(path: string, headers: ReadonlyArray<string>, body: string): Promise<Answer>
  /** Sends nothing more, waits for what is under way, and hangs up. */
  close(): Promise<void>
}

const firstOf = (value: string | ReadonlyArray<string> | undefined): string | null =>
  value === undefined ? null : typeof value === "string" ? value : (value[0] ?? null)

/** One request. It is told of by undici, and settles once. */
class Call implements Undici.Dispatcher.DispatchHandler {
  readonly #settle: (answer: Answer) => void
  readonly #answerMillis: number
  readonly #queuedAt = performance.now()
  #timer: NodeJS.Timeout | undefined
  #controller: Undici.Dispatcher.DispatchController | undefined
  #startedAt: number | undefined
  #status: number | undefined
  #retryAfter: string | null = null
  #chunks: Array<Buffer> = []
  #bytes = 0
  #isDone = false

  constructor(answerMillis: number, settle: (answer: Answer) => void) {
    this.#settle = settle
    this.#answerMillis = answerMillis
    this.#timer = setTimeout(() => this.#giveUp(), answerMillis)
  }

  /** Another wait for those that were sent late; an end of it for the others. */
  #giveUp(): void {
    const left = (this.#startedAt ?? this.#queuedAt) + this.#answerMillis - performance.now()
    if (left > 1) this.#timer = setTimeout(() => this.#giveUp(), left)
    else this.#stop("Timeout")
  }

  #stop(reason: string): void {
    this.#finish(reason)
    this.#controller?.abort(new Error(reason))
  }

  #finish(reason: string): void {
    if (this.#isDone) return
    this.#isDone = true
    clearTimeout(this.#timer)
    if (this.#status !== undefined) {
      const body = Buffer.concat(this.#chunks).toString("utf8")
      this.#settle({ kind: "answered", status: this.#status, body, retry_after: this.#retryAfter, message_id: null })
    } else this.#settle({ kind: this.#startedAt === undefined ? "not_sent" : "unanswered", reason })
  }

  onRequestStart(controller: Undici.Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up while it waited: it must not be sent any more.
    if (this.#isDone) controller.abort(new Error("NotSent"))
    else this.#startedAt = performance.now()
  }

  onResponseStart(
    _controller: Undici.Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | Array<string>>,
  ): void {
    if (status < 200) return
    this.#status = status
    this.#retryAfter = firstOf(headers["retry-after"])
  }

  onResponseData(_controller: Undici.Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > maxAnswerBytes) this.#stop("AnswerTooLarge")
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#finish("ConnectionLost")
  }

  onResponseError(_controller: Undici.Dispatcher.DispatchController, error: Error): void {
    this.#finish(readErrorCode(error, "ConnectionLost"))
  }
}

/**
 * Opens nothing until there is a request, and closes what nobody uses. undici is several times faster than node's own client, and
 * speaks HTTP/2 where the server offers it, so that Google gets many requests over few connections.
 */
export const makeHttpPool = (origin: string, { connectMillis, answerMillis, idleMillis }: PushTiming): HttpPool => {
  let pool: Undici.Pool | null = null
  let underWay = 0
  let isClosed = false
  let idle: NodeJS.Timeout | undefined

  const open = () =>
    new (undici().Pool)(origin, {
      connections,
      connect: { timeout: connectMillis },
      // Every request has its own time.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  const closeIdle = () => {
    void pool?.destroy()
    pool = null
  }
  return {
    post: (path, headers, body) =>
      new Promise((resolve) => {
        if (isClosed) return resolve({ kind: "not_sent", reason: "Closing" })
        clearTimeout(idle)
        underWay += 1
        pool ??= open()
        const call = new Call(answerMillis, (answer) => {
          underWay -= 1
          if (underWay === 0) idle = setTimeout(closeIdle, idleMillis).unref()
          resolve(answer)
        })
        pool.dispatch({ method: "POST", path, headers: headers as Array<string>, body }, call)
      }),
    close: async () => {
      isClosed = true
      clearTimeout(idle)
      const closing = pool
      pool = null
      // Every request settles by itself, and then nothing keeps it from closing.
      await closing?.close()
    },
  }
}
