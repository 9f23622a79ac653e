import { Counter, Histogram, type Registry } from "prom-client"

/** Counts the answers of one route, or of everything that has none. */
export type AnswerCounter = (status: number, seconds: number) => void

/** Registers the number of requests that were refused because there were too many, and makes what counts them. */
export const countRefusedLoad = (registry: Registry): (() => void) => {
  const refused = new Counter({
    name: "hearth_http_overload_refused_total",
    help: "Requests that were answered 503 at once, because there were more than can be answered in time.",
    registers: [registry],
  })
  return () => refused.inc()
}

/** Registers the edge's metrics and makes a counter per route. Paths are patterns, so their number is bounded. */
export const edgeMetrics = (registry: Registry): ((method: string, path: string) => AnswerCounter) => {
  const requests = new Counter({
    name: "hearth_http_requests_total",
    help: "Answers by route and status.",
    labelNames: ["method", "path", "status"],
    registers: [registry],
  })
  const durations = new Histogram({
    name: "hearth_http_request_duration_seconds",
    help: "Time from a request to its answer, by route.",
    labelNames: ["method", "path"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return (method, path) => {
    const duration = durations.labels(method, path)
    // Looking labels up costs more than counting, so the counter of each status is kept.
    const byStatus = new Map<number, Counter.Internal>()
    return (status, seconds) => {
      duration.observe(seconds)
      let counter = byStatus.get(status)
      if (counter === undefined) {
        counter = requests.labels(method, path, String(status))
        byStatus.set(status, counter)
      }
      counter.inc()
    }
  }
}
