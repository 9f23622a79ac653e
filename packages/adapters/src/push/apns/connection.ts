import { setTimeout as sleep } from "node:timers/promises"
import type { Answer } from "../answer.ts"
import type { PushTiming } from "../timing.ts"
import { type Http2Session, openHttp2Session, type RequestHeaders } from "./http2-session.ts"

// APNs allows 1,000. More than this at once makes pushes slower: 250 over 50 ms are 5,000 per second.
const maxStreams = 250
// Apple takes many short connections for an attack.
const pauseMillis = 250
// For so long after a connection could not be made, pushes are refused without another try.
const refusedMillis = 500

interface Waiting {
  readonly headers: RequestHeaders
  readonly body: string
  readonly until: number
  readonly settle: (answer: Answer | Promise<Answer>) => void
}

/** Requests to one origin: over one connection with many streams, which is made when it is needed, and anew when it ends. */
export interface ApnsConnection {
  /** The answer, within `2 × answerMillis`. */
  request(headers: RequestHeaders, body: string): Promise<Answer>
  /** Sends nothing more, waits for what is under way, and hangs up. */
  close(): Promise<void>
}

/** Opens nothing until there is a request. */
export const makeApnsConnection = (
  origin: string,
  { connectMillis, answerMillis, idleMillis, quietMillis, pingMillis }: PushTiming,
): ApnsConnection => {
  const waiting: Array<Waiting> = []
  const sessions = new Set<Http2Session>()
  let current: Http2Session | null = null
  let checking: Http2Session | null = null
  let openedAt = Number.NEGATIVE_INFINITY
  let refusedAt = Number.NEGATIVE_INFINITY
  let refusal = "ConnectionFailed"
  let usedAt = 0
  let isClosed = false
  let opening: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined

  const refuse = (reason: string) => {
    for (const { settle } of waiting.splice(0)) settle({ kind: "not_sent", reason })
  }
  const open = () => {
    opening = undefined
    if (current !== null || waiting.length === 0) return
    openedAt = performance.now()
    const session: Http2Session = openHttp2Session(
      origin,
      { connectMillis, answerMillis, maxStreams },
      {
        onRoom: () => begin(session),
        onEnd: (reason) => {
          if (current === session) current = null
          if (reason === null) return advance()
          refusedAt = performance.now()
          refusal = reason
          refuse(reason)
        },
        onClose: () => sessions.delete(session),
      },
    )
    sessions.add(session)
    current = session
  }
  const begin = (session: Http2Session) => {
    if (session !== current || session === checking) return
    if (session.underWay() === 0 && performance.now() - session.heardAt() > quietMillis) return void check(session)
    for (let room = session.room(); room > 0; room -= 1) {
      const next = waiting.shift()
      if (next === undefined) return
      usedAt = performance.now()
      next.settle(session.send(next.headers, next.body))
    }
  }
  const check = async (session: Http2Session) => {
    checking = session
    const isThere = await session.ping(pingMillis)
    checking = null
    if (isThere) begin(session)
    else session.destroy()
  }
  /** Gets the next requests on their way. */
  const advance = () => {
    if (waiting.length === 0) return
    if (current !== null) return begin(current)
    opening ??= setTimeout(open, Math.max(0, openedAt + pauseMillis - performance.now()))
  }
  /** Gives up what could not be sent for too long, and closes what nobody uses. */
  const look = () => {
    const now = performance.now()
    while (waiting[0] !== undefined && waiting[0].until < now) {
      waiting.shift()?.settle({ kind: "not_sent", reason: "NotSent" })
    }
    const isIdle = waiting.length === 0 && (current === null || current.underWay() === 0)
    if (!isIdle || (current !== null && now - usedAt < idleMillis)) return
    current?.retire()
    clearInterval(watch)
    watch = undefined
  }
  return {
    request: (headers, body) =>
      new Promise((settle) => {
        const now = performance.now()
        if (isClosed) return settle({ kind: "not_sent", reason: "Closing" })
        if (now - refusedAt < refusedMillis) return settle({ kind: "not_sent", reason: refusal })
        waiting.push({ headers, body, until: now + answerMillis, settle })
        watch ??= setInterval(look, Math.min(250, answerMillis / 4, idleMillis / 4)).unref()
        advance()
      }),
    close: async () => {
      isClosed = true
      clearTimeout(opening)
      clearInterval(watch)
      refuse("Closing")
      for (const session of sessions) session.retire()
      // Every answer comes or is given up within this time.
      for (const ends = performance.now() + answerMillis; sessions.size > 0 && performance.now() < ends; ) {
        await sleep(10)
      }
      for (const session of sessions) session.destroy()
    },
  }
}
