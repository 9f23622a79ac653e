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

class Connection implements ApnsConnection {
  readonly #origin: string
  readonly #timing: PushTiming
  readonly #waiting: Array<Waiting> = []
  readonly #sessions = new Set<Http2Session>()
  #current: Http2Session | null = null
  #checking: Http2Session | null = null
  #openedAt = Number.NEGATIVE_INFINITY
  #refused = { at: Number.NEGATIVE_INFINITY, reason: "ConnectionFailed" }
  #usedAt = 0
  #isClosed = false
  #opening: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(origin: string, timing: PushTiming) {
    this.#origin = origin
    this.#timing = timing
  }

  request(headers: RequestHeaders, body: string): Promise<Answer> {
    const { answerMillis, idleMillis } = this.#timing
    return new Promise((settle) => {
      const now = performance.now()
      if (this.#isClosed) return settle({ kind: "not_sent", reason: "Closing" })
      if (now - this.#refused.at < refusedMillis) return settle({ kind: "not_sent", reason: this.#refused.reason })
      this.#waiting.push({ headers, body, until: now + answerMillis, settle })
      this.#watch ??= setInterval(() => this.#look(), Math.min(250, answerMillis / 4, idleMillis / 4)).unref()
      this.#advance()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#opening)
    clearInterval(this.#watch)
    this.#refuse("Closing")
    for (const session of this.#sessions) session.retire()
    // Every answer comes or is given up within this time.
    const ends = performance.now() + this.#timing.answerMillis
    while (this.#sessions.size > 0 && performance.now() < ends) await sleep(10)
    for (const session of this.#sessions) session.destroy()
  }

  #refuse(reason: string): void {
    for (const { settle } of this.#waiting.splice(0)) settle({ kind: "not_sent", reason })
  }

  /** Gets the next requests on their way. */
  #advance(): void {
    if (this.#waiting.length === 0) return
    const pause = Math.max(0, this.#openedAt + pauseMillis - performance.now())
    if (this.#current !== null) this.#begin(this.#current)
    else this.#opening ??= setTimeout(() => this.#open(), pause)
  }

  #open(): void {
    this.#opening = undefined
    if (this.#current !== null || this.#waiting.length === 0) return
    this.#openedAt = performance.now()
    const { connectMillis, answerMillis } = this.#timing
    const session: Http2Session = openHttp2Session(
      this.#origin,
      { connectMillis, answerMillis, maxStreams },
      {
        onRoom: () => this.#begin(session),
        onEnd: (reason) => {
          if (this.#current === session) this.#current = null
          if (reason === null) return this.#advance()
          this.#refused = { at: performance.now(), reason }
          this.#refuse(reason)
        },
        onClose: () => this.#sessions.delete(session),
      },
    )
    this.#sessions.add(session)
    this.#current = session
  }

  #begin(session: Http2Session): void {
    if (session !== this.#current || session === this.#checking) return
    const isQuiet = session.underWay() === 0 && performance.now() - session.heardAt() > this.#timing.quietMillis
    if (isQuiet) return void this.#check(session)
    for (let room = session.room(); room > 0; room -= 1) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#usedAt = performance.now()
      next.settle(session.send(next.headers, next.body))
    }
  }

  async #check(session: Http2Session): Promise<void> {
    this.#checking = session
    const isThere = await session.ping(this.#timing.pingMillis)
    this.#checking = null
    if (isThere) this.#begin(session)
    else session.destroy()
  }

  /** Gives up what could not be sent for too long, and closes what nobody uses. */
  #look(): void {
    const now = performance.now()
    while (this.#waiting[0] !== undefined && this.#waiting[0].until < now) {
      this.#waiting.shift()?.settle({ kind: "not_sent", reason: "NotSent" })
    }
    const session = this.#current
    if (this.#waiting.length > 0 || (session?.underWay() ?? 0) > 0) return
    if (session !== null && now - this.#usedAt < this.#timing.idleMillis) return
    session?.retire()
    clearInterval(this.#watch)
    this.#watch = undefined
  }
}

/** Opens nothing until there is a request. */
export const makeApnsConnection = (origin: string, timing: PushTiming): ApnsConnection => new Connection(origin, timing)
