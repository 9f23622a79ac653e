import { nextTick, type Workflow } from "@hearth/core"
import type { JobSchedulerTemplateOptions, RepeatOptions } from "bullmq"
import { Schema } from "effect"

/** What travels with a run: the id that it was asked for under, and its encoded input. */
export interface RunData {
  readonly id: string
  readonly input: unknown
}

/** The travelling form of an input. */
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

/** Ten tries over about nine minutes. What has ended leaves no trace; what was given up can be looked at for a week. */
export const jobOptions = (backoffMillis: number) =>
  ({
    attempts: 10,
    backoff: { type: "exponential", delay: backoffMillis, jitter: 0.5 },
    removeOnComplete: true,
    removeOnFail: { age: 7 * 86_400, count: 1_000 },
    stackTraceLimit: 3,
  }) satisfies JobSchedulerTemplateOptions

/** Makes BullMQ count ticks as everybody else does. */
const repeatStrategy = (millis: number, { pattern, tz }: RepeatOptions): number | undefined =>
  pattern === undefined ? undefined : nextTick({ cron: pattern, timezone: tz ?? "UTC" }, new Date(millis))?.getTime()

/** What queues and workers have in common everywhere. Nobody reads BullMQ's own events, so few are kept. */
export const commonOptions = { settings: { repeatStrategy }, streams: { events: { maxLen: 100 } } }
