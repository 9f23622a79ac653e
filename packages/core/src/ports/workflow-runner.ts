import { Cron, type Effect, type Schema } from "effect"
import { failure } from "../failure.ts"

/** The queue cannot be reached, or did not answer within two seconds [E10]. */
export class QueueUnavailable extends failure(
  "QueueUnavailable",
  "unavailable",
  "QUEUE_UNAVAILABLE",
  "Background work cannot be started right now.",
) {}

/**
 * A named piece of background work. It runs at least once for each start, perhaps more often, perhaps on two nodes
 * at once: what it does must commit together with the mark that it was done [E10]. A run that dies is tried again, at
 * growing distances, and given up after some ten tries. The encoded side of `input` is JSON.
 */
export interface Workflow<Input> {
  readonly name: string
  readonly input: Schema.Codec<Input, unknown>
  readonly run: (input: Input) => Effect.Effect<void>
}

/** Workflows of different inputs, as they stand together in the list that a worker serves. */
// biome-ignore lint/suspicious/noExplicitAny: an input is both taken and given, so no narrower type holds every workflow
export type AnyWorkflow = Workflow<any>

/** When a schedule fires: a cron expression of five fields, read in an IANA time zone. A sixth field in front counts seconds. */
export interface Recurrence {
  readonly cron: string
  readonly timezone: string
}

/**
 * The first tick of a recurrence after an instant, null where there is none (30 February). A tick that the clocks skip
 * fires as much later as they skip; one that they show twice fires the first time [E14]. Throws on an expression or a
 * zone that does not exist. Every runner counts with this function.
 */
export const nextTick = ({ cron, timezone }: Recurrence, after: Date): Date | null => {
  const ticks = Cron.parseUnsafe(cron, timezone)
  try {
    return Cron.next(ticks, after)
  } catch {
    return null
  }
}

/** Starts and schedules workflows. Every call answers within two seconds or fails with `QueueUnavailable`. */
export interface WorkflowRunner {
  /**
   * Asks for a run of `workflow` now, or not before `at`. `id` names the work: while a run of the same id is waiting
   * (for its time, its turn or its next try), another start changes nothing; while one is running, exactly one more
   * follows it, however often it is asked for, with the input and the time that were asked for last. After it has
   * ended, the same id can be started again.
   */
  start<Input>(
    workflow: Workflow<Input>,
    id: string,
    input: Input,
    options?: { readonly at?: Date },
  ): Effect.Effect<void, QueueUnavailable>
  /** Takes back what has not begun: the run that waits, or the one that is to follow a running one. Nothing happens where there is none. */
  terminate<Input>(workflow: Workflow<Input>, id: string): Effect.Effect<void, QueueUnavailable>
  /**
   * Makes `workflow` run at each tick of `recurrence`, until it is unscheduled. The same id again replaces the schedule;
   * an equal one changes nothing, not even a tick that is due. Ticks missed while nobody worked are made up for by one
   * run. Schedules and starts do not share ids.
   */
  schedule<Input>(
    workflow: Workflow<Input>,
    id: string,
    recurrence: Recurrence,
    input: Input,
  ): Effect.Effect<void, QueueUnavailable>
  /** Ends a schedule. Nothing happens where there is none. */
  unschedule<Input>(workflow: Workflow<Input>, id: string): Effect.Effect<void, QueueUnavailable>
  /** How many runs are due and have not begun, and for how many seconds the oldest of them has been due (0 without one). */
  backlog(): Effect.Effect<{ readonly waiting: number; readonly oldest_seconds: number }, QueueUnavailable>
}
