import { QueueUnavailable } from "@hearth/core"
import { Effect } from "effect"
import { Registry } from "prom-client"
import { expect, it } from "vitest"
import { registerQueueMetrics } from "../src/queue-metrics.ts"

it("the metrics of the queue are read together each time, and are NaN without it", async () => {
  const registry = new Registry()
  const answers = [
    Effect.succeed({ waiting: 3, oldest_seconds: 12 }),
    Effect.fail(new QueueUnavailable()),
    Effect.succeed({ waiting: 1, oldest_seconds: 2.5 }),
  ]
  let asked = 0
  registerQueueMetrics(registry, {
    backlog: () =>
      Effect.suspend(() => {
        asked += 1
        return answers[asked - 1] ?? Effect.never
      }),
  })
  const scrape = async () => (await registry.metrics()).split("\n").filter((line) => /^[^#]/.test(line))
  const read = [await scrape(), await scrape(), await scrape()]
  expect(read).toEqual([
    ["hearth_queue_oldest_seconds 12", "hearth_queue_waiting 3"],
    ["hearth_queue_oldest_seconds Nan", "hearth_queue_waiting Nan"],
    ["hearth_queue_oldest_seconds 2.5", "hearth_queue_waiting 1"],
  ])
  expect(asked).toBe(3)
})
