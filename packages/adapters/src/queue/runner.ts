import { isDeepStrictEqual } from "node:util"
import { type AnyWorkflow, isPastNextTick, nextTick, QueueUnavailable, type WorkflowRunner } from "@hearth/core"
import { Effect } from "effect"
import { jobOptions, type RunData, runData, workKey } from "./job.ts"
import type { Link, RunQueue } from "./link.ts"
import { type QueueLog, reasonOf } from "./log.ts"

/** Makes a function that calls the queue, and fails when it cannot be reached or takes too long. */
export const makeAsk =
  (log: QueueLog, answerMillis: number) =>
  <A>(ask: () => Promise<A>): Effect.Effect<A, QueueUnavailable> =>
    Effect.tryPromise({ try: ask, catch: reasonOf }).pipe(
      Effect.timeoutOrElse({ duration: answerMillis, orElse: () => Effect.fail("It did not answer in time.") }),
      Effect.catch((error) => {
        log("The queue cannot be used.", { error })
        return Effect.fail(new QueueUnavailable())
      }),
    )

/** Starts and schedules workflows in a queue. It never runs one. */
export const queueRunner = (link: Link, backoffMillis: number, ask: ReturnType<typeof makeAsk>): WorkflowRunner => {
  const options = jobOptions(backoffMillis)

  return {
    start: (workflow, id, input, { at } = {}) =>
      Effect.suspend(() => {
        const data = runData(workflow, id, input)
        const delay = Math.max(0, (at?.getTime() ?? 0) - Date.now())
        const deduplication = { id: workKey(workflow, id), keepLastIfActive: true }
        return ask(async () => (await link.queue()).add(workflow.name, data, { ...options, delay, deduplication }))
      }),
    terminate: (workflow, id) =>
      ask(async () => {
        const queue = await link.queue()
        const key = workKey(workflow, id)
        // In this order: the follow-up becomes a waiting run when the running one ends in between.
        await link.dropFollowUp(key)
        const waiting = await queue.getDeduplicationJobId(key)
        if (waiting !== null) await queue.remove(waiting)
      }),
    schedule: (workflow, id, { cron, timezone }, input) =>
      Effect.suspend(() => {
        const data = runData(workflow, id, input)
        const key = workKey(workflow, id)
        const never = nextTick({ cron, timezone }, new Date()) === null
        return ask(async () => {
          const queue = await link.queue()
          if (never) return void (await queue.removeJobScheduler(key))
          const wanted = { name: workflow.name, pattern: cron, tz: timezone, data }
          if (await isScheduled(queue, key, wanted)) return
          await queue.upsertJobScheduler(
            key,
            { pattern: cron, tz: timezone },
            { name: workflow.name, data, opts: options },
          )
        })
      }),
    unschedule: (workflow, id) => ask(async () => (await link.queue()).removeJobScheduler(workKey(workflow, id))),
    backlog: () =>
      ask(async () => {
        const now = Date.now()
        const { waiting, oldestDueAt } = await link.backlog(now)
        return { waiting, oldest_seconds: oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt) / 1000 }
      }),
  }
}

// Scheduling again removes a tick that is due and has not begun, so it is only done when something changed.
const isScheduled = async (
  queue: RunQueue,
  key: string,
  wanted: { readonly name: string; readonly pattern: string; readonly tz: string; readonly data: RunData },
): Promise<boolean> => {
  const known = await queue.getJobScheduler(key)
  if (known === undefined) return false
  const { name, pattern, tz, next } = known
  if (!isDeepStrictEqual({ name, pattern, tz, data: known.template?.data }, wanted)) return false
  if (next === undefined || isPastNextTick(new Date(next), { cron: wanted.pattern, timezone: wanted.tz }, new Date()))
    return false
  return (await queue.getJob(`repeat:${key}:${next}`)) !== undefined
}

/** When a schedule fires next, null where there is none. */
export const nextTickOf = async (link: Link, workflow: AnyWorkflow, id: string): Promise<Date | null> => {
  const next = (await (await link.queue()).getJobScheduler(workKey(workflow, id)))?.next
  return next === undefined ? null : new Date(next)
}
