import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import type { MakeWorkflowRunner } from "@hearth/testing/contracts"
import { Effect } from "effect"
import { vi } from "vitest"
import { type OpenQueue, openQueue, type QueueOptions } from "../../src/queue/index.ts"

/** A unique name of a queue. */
export const someQueueName = (): string => `test-${randomUUID()}`

/** Opens a queue on a machine with much to do: a call may take long, and the backend is there once this resolves. */
export const openPatientQueue = async (options: QueueOptions): Promise<OpenQueue> => {
  // That a call is given up, and that a queue opens without its backend, is tried elsewhere.
  const queue = await openQueue({ ...options, answerMillis: 15_000 })
  await vi.waitFor(() => Effect.runPromise(queue.runner.backlog()), { timeout: 30_000 })
  return queue
}

/** Makes harnesses with a queue of their own on the backend that `where` names, and with this first pause. */
export const queueHarness =
  (where: () => QueueOptions, backoffMillis = 100): MakeWorkflowRunner =>
  async () => {
    const queue = await openPatientQueue({ ...where(), name: someQueueName(), backoffMillis })
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
