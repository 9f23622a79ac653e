import type { Effect, Schema } from "effect"
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
 * at once: what it does must commit together with the mark that it was done [E10]. A run that dies is tried again.
 */
export interface Workflow<Input> {
  readonly name: string
  readonly input: Schema.Codec<Input, unknown>
  readonly run: (input: Input) => Effect.Effect<void>
}

/** When a schedule fires: a cron expression of five fields, read in an IANA time zone. */
export interface Recurrence {
  readonly cron: string
  readonly timezone: string
}

/** Starts and schedules workflows. Every call answers within two seconds or fails with `QueueUnavailable`. */
export interface WorkflowRunner {
  /**
   * Asks for a run of `workflow` now, or not before `at`. `id` names the work: while a run of the same id is waiting,
   * another start changes nothing; while one is running, exactly one more follows it, however often it is asked for.
   * After it has ended, the same id can be started again.
   */
  start<Input>(
    workflow: Workflow<Input>,
    id: string,
    input: Input,
    options?: { readonly at?: Date },
  ): Effect.Effect<void, QueueUnavailable>
  /** Takes back a run that has not begun. Nothing happens where there is none. */
  terminate<Input>(workflow: Workflow<Input>, id: string): Effect.Effect<void, QueueUnavailable>
  /** Makes `workflow` run at each tick of `recurrence`, until it is unscheduled. The same id again replaces the schedule. */
  schedule<Input>(
    workflow: Workflow<Input>,
    id: string,
    recurrence: Recurrence,
    input: Input,
  ): Effect.Effect<void, QueueUnavailable>
  /** Ends a schedule. Nothing happens where there is none. */
  unschedule<Input>(workflow: Workflow<Input>, id: string): Effect.Effect<void, QueueUnavailable>
  /** How much is waiting, and for how many seconds the oldest of it has been due. */
  backlog(): Effect.Effect<{ readonly waiting: number; readonly oldest_seconds: number }, QueueUnavailable>
}
