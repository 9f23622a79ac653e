import type { Effect, Schema } from "effect"
import { failure } from "../failure.ts"
import type { Recurrence } from "../time/cron.ts"

/** The queue cannot be reached, or did not answer within two seconds [E10]. */
export class QueueUnavailable extends failure(
  "QueueUnavailable",
  "unavailable",
  "QUEUE_UNAVAILABLE",
  "Background work cannot be started right now.",
) {}

/**
 * A named piece of background work. It runs at least once for each start, possibly more often and on two nodes at once, so
 * its writes must commit together with the record that it is done [E10]. A run that dies is retried with growing delays,
 * about ten times, and delays no other; one whose input cannot be read is given up. The encoded side of `input` is JSON.
 */
export interface Workflow<Input> {
  readonly name: string
  readonly input: Schema.Codec<Input, unknown>
  readonly run: (input: Input) => Effect.Effect<void>
}

/** A workflow of any input, for lists of workflows. */
// biome-ignore lint/suspicious/noExplicitAny: an input is both taken and given, so no narrower type holds every workflow
export type AnyWorkflow = Workflow<any>

/** Starts and schedules workflows. Every call answers within two seconds or fails with `QueueUnavailable`. */
export interface WorkflowRunner {
  /**
   * Requests a run of `workflow` now, or not before `at`. While a run of the same `id` is waiting (for its time, its turn or
   * its retry), another start changes nothing. While one is running, any number of starts makes exactly one further run,
   * with the last input and time. After that the id can be started again. What is started while no worker runs waits for one.
   * Any text is an id; those of two workflows have nothing in common.
   */
  start<Input>(
    workflow: Workflow<Input>,
    id: string,
    input: Input,
    options?: { readonly at?: Date },
  ): Effect.Effect<void, QueueUnavailable>
  /** Cancels a run that has not begun: a waiting one, or one that would follow a running one. Does nothing otherwise. */
  terminate<Input>(workflow: Workflow<Input>, id: string): Effect.Effect<void, QueueUnavailable>
  /**
   * Runs `workflow` at each tick of `recurrence`, until it is unscheduled. The same id again replaces the schedule; an equal
   * one changes nothing, not even a due tick, unless its next tick is past others that are still to come. Ticks that were missed while no worker ran are made up for by one run.
   * Schedules and starts do not share ids. A recurrence that never fires leaves no schedule; an invalid one dies.
   */
  schedule<Input>(
    workflow: Workflow<Input>,
    id: string,
    recurrence: Recurrence,
    input: Input,
  ): Effect.Effect<void, QueueUnavailable>
  /** Removes a schedule. Does nothing when there is none. */
  unschedule<Input>(workflow: Workflow<Input>, id: string): Effect.Effect<void, QueueUnavailable>
  /** How many runs are due and have not begun, and for how many seconds the oldest of them has been due (0 without one). */
  backlog(): Effect.Effect<{ readonly waiting: number; readonly oldest_seconds: number }, QueueUnavailable>
}
