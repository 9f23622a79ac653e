import { nextTick, type Workflow } from "@hearth/core"
import type { JobSchedulerTemplateOptions, RepeatOptions } from "bullmq"
import { Schema } from "effect"

/** The data of a job: the id under which the run was started, and its encoded input. */
export interface RunData {
  readonly id: string
  readonly input: unknown
}

/** Encodes the input of a run. */
export const runData = <Input>(workflow: Workflow<Input>, id: string, input: Input): RunData => ({
  id,
  input: Schema.encodeSync(workflow.input)(input),
})

/**
 * One name for a workflow and an id, different for every two pairs. It has no colon: a schedule whose name has four of
 * them is taken for one of an older BullMQ.
 */
export const workKey = (workflow: { readonly name: string }, id: string): string =>
  `${encodeURIComponent(workflow.name)}/${encodeURIComponent(id)}`

/** Ten tries over about nine minutes. Completed jobs are removed; failed ones are kept for a week. */
export const jobOptions = (backoffMillis: number) =>
  ({
    attempts: 10,
    backoff: { type: "exponential", delay: backoffMillis, jitter: 0.5 },
    removeOnComplete: true,
    removeOnFail: { age: 7 * 86_400, count: 1_000 },
    stackTraceLimit: 3,
  }) satisfies JobSchedulerTemplateOptions

/** Makes BullMQ compute ticks with `nextTick`, as the memory runner does. */
const repeatStrategy = (millis: number, { pattern, tz }: RepeatOptions): number | undefined =>
  pattern === undefined ? undefined : nextTick({ cron: pattern, timezone: tz ?? "UTC" }, new Date(millis))?.getTime()

/** Options of all queues and workers. BullMQ's own events are not read, so few are kept. */
export const commonOptions = { settings: { repeatStrategy }, streams: { events: { maxLen: 100 } } }
