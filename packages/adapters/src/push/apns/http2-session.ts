import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2"
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

/** Opens a connection to the origin. Over `http:` it is HTTP/2 from the first byte. */
export const openHttp2Session = (
  origin: string,
  { connectMillis, answerMillis, maxStreams }: SessionLimits,
  { onRoom, onEnd, onClose }: SessionEvents,
): Http2Session => {
  const session: ClientHttp2Session = connect(origin, { settings: { enablePush: false } })
  let limit = 0
  let underWay = 0
  let heardAt = performance.now()
  let hasSpoken = false
  let ended = false
  // Streams above this were not processed: a GOAWAY says so.
  let lastProcessed = Number.POSITIVE_INFINITY

  const end = (reason: string) => {
    clearTimeout(patience)
    if (ended) return
    ended = true
    limit = 0
    onEnd(hasSpoken ? null : reason)
  }
  const fail = (reason: string) => {
    end(reason)
    session.destroy()
  }
  const patience = setTimeout(fail, connectMillis, "ConnectTimeout")
  session.on("remoteSettings", ({ maxConcurrentStreams = maxStreams }) => {
    clearTimeout(patience)
    hasSpoken = true
    heardAt = performance.now()
    if (ended) return
    limit = Math.min(maxConcurrentStreams, maxStreams)
    onRoom()
  })
  session.on("goaway", (_code, lastStreamId) => {
    if (lastStreamId !== undefined) lastProcessed = Math.min(lastProcessed, lastStreamId)
    end("ConnectionClosed")
  })
  session.on("error", (error) => fail(readErrorCode(error, "ConnectionFailed")))
  session.on("close", () => {
    end("ConnectionClosed")
    onClose()
  })

  const closeWhenDone = () => {
    if (ended && underWay === 0) session.destroy()
  }
  const retire = () => {
    end("Retired")
    closeWhenDone()
  }
  const send = async (headers: RequestHeaders, body: string): Promise<Answer> => {
    let stream: ClientHttp2Stream
    try {
      stream = session.request(headers)
    } catch (error) {
      return { kind: "not_sent", reason: readErrorCode(error, "ConnectionFailed") }
    }
    underWay += 1
    const begun = performance.now()
    const wasSent = () => stream.id !== undefined && stream.id <= lastProcessed
    const answering = readAnswer(stream, answerMillis, wasSent)
    stream.end(body)
    const answer = await answering
    underWay -= 1
    if (answer.kind === "answered") {
      heardAt = performance.now()
      // The server has a fault, or is about to stop: Apple wants a new connection then.
      if (answer.status >= 500) end("ServerFault")
    }
    // Nothing at all was heard while an answer was waited for: the connection may be dead.
    else if (answer.reason === "Timeout" && heardAt < begun) end("Timeout")
    closeWhenDone()
    if (!ended) onRoom()
    return answer
  }
  const ping = (millis: number): Promise<boolean> =>
    new Promise((resolve) => {
      const late = setTimeout(resolve, millis, false)
      const settle = (error: Error | null) => {
        clearTimeout(late)
        if (error === null) heardAt = performance.now()
        resolve(error === null)
      }
      try {
        if (!session.ping(settle)) resolve(false)
      } catch {
        resolve(false)
      }
    })
  return {
    send,
    ping,
    retire,
    room: () => Math.max(0, limit - underWay),
    underWay: () => underWay,
    heardAt: () => heardAt,
    destroy: () => fail("Closing"),
  }
}
