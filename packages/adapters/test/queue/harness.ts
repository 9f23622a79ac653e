import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import type { MakeWorkflowRunner } from "@hearth/testing/contracts"
import { Effect } from "effect"
import { openQueue, type QueueOptions } from "../../src/queue/index.ts"

/** A unique name of a queue. */
export const someQueueName = (): string => `test-${randomUUID()}`

/** Makes harnesses with a queue of their own on the backend that `where` names. */
export const queueHarness =
  (where: () => QueueOptions): MakeWorkflowRunner =>
  async () => {
    // That it is given up is tried elsewhere: a machine with much to do takes longer than two seconds for some calls.
    const queue = await openQueue({ ...where(), name: someQueueName(), backoffMillis: 100, answerMillis: 15_000 })
    return {
      runner: queue.runner,
      serve: async (workflows) => {
        const served = await Effect.runPromise(queue.serve(workflows, { concurrency: 4 }))
        return { drain: () => Effect.runPromise(served.drain()) }
      },
      now: () => new Date(),
      pass: (millis) => setTimeout(millis),
      nextTick: (workflow, id) => Effect.runPromise(queue.nextTick(workflow, id)),
      close: () => Effect.runPromise(queue.close()),
    }
  }
