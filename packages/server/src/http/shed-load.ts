import type { Server } from "node:http"
import { ServiceUnavailable } from "@hearth/core"
import { interceptRequests, type MakeRequestId, refuseRequest } from "./refuse-request.ts"
import { countLoad } from "./request/load.ts"

/** When a process has more requests than it can answer in time. */
export interface LoadLimits {
  /** So many requests may be under way, whatever they wait for. */
  readonly inFlight: number
  /** Beyond these, further ones are refused while the event loop is later than this. */
  readonly lagMillis: number
}

/** What is done about requests that are too many. */
export interface LoadShedding {
  /** Where left out: 1,000 under way, and 100 ms. */
  readonly limits?: LoadLimits
  /** Called for each request that is refused. They are too many for a line in the log each. */
  readonly onRefused: () => void
}

// Many requests that wait for one busy project are no reason to refuse those of others: the event loop is on time then. A machine
// that is slow for a moment is none either, with few requests under way.
const usual: LoadLimits = { inFlight: 1_000, lagMillis: 100 }

const tickMillis = 10

/** How late the event loop is. It is looked at only between `start` and `stop`. */
const makeLagMeter = () => {
  let timer: NodeJS.Timeout | null = null
  let lastTick = 0
  let lag = 0
  return {
    start: () => {
      if (timer !== null) return
      lastTick = performance.now()
      lag = 0
      timer = setInterval(() => {
        const now = performance.now()
        lag = now - lastTick - tickMillis
        lastTick = now
      }, tickMillis)
      timer.unref()
    },
    stop: () => {
      if (timer !== null) clearInterval(timer)
      timer = null
    },
    millis: () => Math.max(lag, performance.now() - lastTick - tickMillis),
  }
}

/** Operators need these most when there is too much to do. */
const isForOperators = (url: string) => url.startsWith("/health/") || url === "/metrics"

/**
 * Makes a server refuse with 503 [A3] what it cannot answer in time, before anything is done for it. Without that everybody's answers
 * come too late once more is asked than can be done, because what came last takes its turns from what came first. To be called before
 * other listeners are added.
 */
export const shedLoad = (
  server: Server,
  { limits = usual, onRefused }: LoadShedding,
  makeRequestId: MakeRequestId,
): void => {
  const lag = makeLagMeter()
  let current = 0
  const isTooMany = () => {
    if (current < limits.inFlight) return false
    lag.start()
    return lag.millis() > limits.lagMillis
  }
  const leave = () => {
    current -= 1
    if (current < limits.inFlight / 2) lag.stop()
  }
  interceptRequests(server, (request, response, passOn) => {
    if (!isForOperators(request.url ?? "") && isTooMany()) {
      onRefused()
      return refuseRequest(request, response, new ServiceUnavailable(), makeRequestId)
    }
    current += 1
    response.once("close", countLoad(response, leave))
    passOn()
  })
}
