import type { WorkflowRunner } from "@hearth/core"
import { Effect, Option } from "effect"
import { Gauge, type Registry } from "prom-client"

/** Reads once for all who ask before it is read. */
const readTogether = <A>(read: () => Promise<A>): (() => Promise<A>) => {
  let reading: Promise<A> | null = null
  return () => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
}

/** Registers metrics of the queue. They are read when the metrics are, both at once; without the queue they are NaN. */
export const registerQueueMetrics = (registry: Registry, runner: Pick<WorkflowRunner, "backlog">) => {
  const registers = [registry]
  const backlog = readTogether(() => Effect.runPromise(Effect.option(runner.backlog())))
  new Gauge({
    name: "hearth_queue_oldest_seconds",
    help: "For how long the oldest waiting run has been due.",
    registers,
    async collect() {
      this.set(Option.getOrUndefined(await backlog())?.oldest_seconds ?? Number.NaN)
    },
  })
  new Gauge({
    name: "hearth_queue_waiting",
    help: "Runs that are due and have not begun.",
    registers,
    async collect() {
      this.set(Option.getOrUndefined(await backlog())?.waiting ?? Number.NaN)
    },
  })
}
