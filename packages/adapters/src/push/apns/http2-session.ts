import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2"
import type { Duplex } from "node:stream"
import { type Answer, maxAnswerBytes, readErrorCode } from "../answer.ts"

/** Headers of a request, with its method and path. They are not changed. */
export type RequestHeaders = Readonly<Record<string, string>>

/** One HTTP/2 connection to a provider. */
export interface Http2Session {
  /** How many more requests it takes now. 0 before the server has spoken and after it is retired. */
  room(): number
  /** Sends a request. Call it only where there is room. `answerMillis` after that it is `unanswered`. */
  send(headers: RequestHeaders, body: string): Promise<Answer>
  /** How many requests wait for an answer. */
  underWay(): number
  /** When the server was last heard of, on the clock of `performance.now()`. */
  heardAt(): number
  /** Asks whether the server is there; false when it does not answer in time. */
  ping(millis: number): Promise<boolean>
  /** Takes no more requests, waits for those under way, and closes. */
  retire(): void
  /** Closes at once: what is under way is `unanswered`. */
  destroy(): void
}

/** What happens to a connection. */
export interface SessionEvents {
  /** There may be room now. */
  readonly onRoom: () => void
  /** It takes no more requests. `reason` is null unless it failed before the server had spoken. */
  readonly onEnd: (reason: string | null) => void
  /** It is closed, and nothing is under way. */
  readonly onClose: () => void
}

/** How a connection is used. */
export interface SessionLimits {
  readonly connectMillis: number
  readonly answerMillis: number
  /** Requests under way at once, where the server allows as many. */
  readonly maxStreams: number
}

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants

const firstOf = (value: unknown): string | null =>
  typeof value === "string" ? value : Array.isArray(value) ? String(value[0]) : null

/** The answer to a request, at most `answerMillis` from now. `wasSent` says whether the server may have processed it. */
const readAnswer = (stream: ClientHttp2Stream, answerMillis: number, wasSent: () => boolean): Promise<Answer> =>
  new Promise((resolve) => {
    let status: number | undefined
    let retry_after: string | null = null
    let message_id: string | null = null
    let reason = "ConnectionLost"
    let bytes = 0
    const chunks: Array<Buffer> = []
    const settle = () => {
      clearTimeout(patience)
      if (status !== undefined) {
        resolve({ kind: "answered", status, body: Buffer.concat(chunks).toString("utf8"), retry_after, message_id })
      } else if (stream.rstCode === NGHTTP2_REFUSED_STREAM || !wasSent()) {
        resolve({ kind: "not_sent", reason: "RefusedStream" })
      } else resolve({ kind: "unanswered", reason })
    }
    // Does not wait for the stream to close: on a dead connection it may never do that.
    const stop = (why: string) => {
      reason = why
      settle()
      stream.close(NGHTTP2_CANCEL)
    }
    const patience = setTimeout(stop, answerMillis, "Timeout")
    stream.on("response", (headers) => {
      status = headers[":status"]
      retry_after = firstOf(headers["retry-after"])
      message_id = firstOf(headers["apns-id"])
    })
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxAnswerBytes) stop("AnswerTooLarge")
      else chunks.push(chunk)
    })
    stream.on("error", (error) => {
      reason = readErrorCode(error, reason)
    })
    stream.on("close", settle)
  })

/** Whether the server answers a ping in time. */
const pingSession = (session: ClientHttp2Session, millis: number): Promise<boolean> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, millis, false)
    const settle = (error: Error | null) => {
      clearTimeout(late)
      resolve(error === null)
    }
    try {
      if (!session.ping(settle)) resolve(false)
    } catch {
      resolve(false)
    }
  })

class OpenSession implements Http2Session {
  readonly #session: ClientHttp2Session
  readonly #limits: SessionLimits
  readonly #events: SessionEvents
  readonly #patience: NodeJS.Timeout
  #socket: Duplex | null = null
  #limit = 0
  #underWay = 0
  #heardAt = performance.now()
  #hasSpoken = false
  #hasEnded = false
  // Streams above this were not processed: a GOAWAY says so.
  #lastProcessed = Number.POSITIVE_INFINITY

  constructor(origin: string, limits: SessionLimits, events: SessionEvents) {
    this.#session = connect(origin, { settings: { enablePush: false } })
    this.#limits = limits
    this.#events = events
    this.#patience = setTimeout(() => this.#fail("ConnectTimeout"), limits.connectMillis)
    this.#session.on("connect", (_session, socket) => {
      this.#socket = socket
    })
    this.#session.on("remoteSettings", ({ maxConcurrentStreams }) => this.#welcome(maxConcurrentStreams))
    this.#session.on("goaway", (_code, lastStreamId) => {
      if (lastStreamId !== undefined) this.#lastProcessed = Math.min(this.#lastProcessed, lastStreamId)
      this.#end("ConnectionClosed")
      // The streams that were not processed may have ended before this was told.
      this.#closeWhenDone()
    })
    this.#session.on("error", (error) => this.#fail(readErrorCode(error, "ConnectionFailed")))
    this.#session.on("close", () => {
      this.#end("ConnectionClosed")
      events.onClose()
    })
  }

  room(): number {
    return Math.max(0, this.#limit - this.#underWay)
  }

  underWay(): number {
    return this.#underWay
  }

  heardAt(): number {
    return this.#heardAt
  }

  async ping(millis: number): Promise<boolean> {
    const isThere = await pingSession(this.#session, millis)
    if (isThere) this.#heardAt = performance.now()
    return isThere
  }

  retire(): void {
    this.#end("Retired")
    this.#closeWhenDone()
  }

  destroy(): void {
    this.#fail("Closing")
  }

  async send(headers: RequestHeaders, body: string): Promise<Answer> {
    let stream: ClientHttp2Stream
    try {
      stream = this.#session.request(headers)
    } catch (error) {
      return { kind: "not_sent", reason: readErrorCode(error, "ConnectionFailed") }
    }
    this.#underWay += 1
    const begun = performance.now()
    const wasSent = () => stream.id !== undefined && stream.id <= this.#lastProcessed
    const answering = readAnswer(stream, this.#limits.answerMillis, wasSent)
    stream.end(body)
    const answer = await answering
    this.#underWay -= 1
    this.#learn(answer, begun)
    this.#closeWhenDone()
    if (!this.#hasEnded) this.#events.onRoom()
    return answer
  }

  /** What an answer, or none, says about the connection. */
  #learn(answer: Answer, begun: number): void {
    if (answer.kind === "answered") {
      this.#heardAt = performance.now()
      // The server has a fault, or is about to stop: Apple wants a new connection then.
      if (answer.status >= 500) this.#end("ServerFault")
    }
    // Nothing at all was heard while an answer was waited for: the connection may be dead.
    else if (answer.reason === "Timeout" && this.#heardAt < begun) this.#end("Timeout")
  }

  /** The server has spoken, and says how many requests it takes at once. */
  #welcome(maxConcurrentStreams = this.#limits.maxStreams): void {
    clearTimeout(this.#patience)
    this.#hasSpoken = true
    this.#heardAt = performance.now()
    if (this.#hasEnded) return
    this.#limit = Math.min(maxConcurrentStreams, this.#limits.maxStreams)
    this.#events.onRoom()
  }

  #end(reason: string): void {
    clearTimeout(this.#patience)
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#limit = 0
    this.#events.onEnd(this.#hasSpoken ? null : reason)
  }

  #fail(reason: string): void {
    this.#end(reason)
    this.#session.destroy()
  }

  #closeWhenDone(): void {
    if (!this.#hasEnded || this.#underWay > 0) return
    this.#session.destroy()
    // After a GOAWAY Node has begun to close by itself, and would wait until the server hangs up, for however long.
    this.#socket?.destroy()
  }
}

/** Opens a connection to the origin. Over `http:` it is HTTP/2 from the first byte. */
export const openHttp2Session = (origin: string, limits: SessionLimits, events: SessionEvents): Http2Session =>
  new OpenSession(origin, limits, events)
