import type { AnyWorkflow, Clock, Workflow, WorkflowRunner } from "@hearth/core"
import { Cause, Effect, Exit, Latch, Schema } from "effect"
import { memoryRuns, type Run } from "./workflow-runs.ts"
import { memorySchedules } from "./workflow-schedules.ts"

/** A try that died, or whose input could not be read. A real runner logs it. */
export interface DeadRun {
  readonly workflow: string
  readonly id: string
  readonly cause: string
}

/** Workflows in memory. They run only in `runDue`, one after the other, the longest due first. */
export interface MemoryWorkflows extends WorkflowRunner {
  /** From now on `runDue` runs these. `drain` ends that, and waits for the one that is running. */
  serve(workflows: ReadonlyArray<AnyWorkflow>): { readonly drain: () => Effect.Effect<void> }
  /** Runs due workflows until none is due, also those that become due meanwhile. Answers how many ran. */
  runDue(): Effect.Effect<number>
  /** When the next of the served workflows falls due (perhaps in the past), null when nothing waits. */
  nextDueAt(): Date | null
  /** When a schedule fires next, null where there is none. */
  nextTick(workflow: AnyWorkflow, id: string): Date | null
}

// Encodes inputs as JSON, as a queue does, so that only what survives a queue works in memory.
const encode = <Input>(workflow: Workflow<Input>, input: Input): string =>
  JSON.stringify(Schema.encodeSync(workflow.input)(input))
const keyOf = (...parts: ReadonlyArray<string>): string => JSON.stringify(parts)

/** Workflows in memory, in the time of `clock`. `onDeath` is called for every try that failed. */
export const memoryWorkflows = (clock: Clock, onDeath: (run: DeadRun) => void = () => {}): MemoryWorkflows => {
  const runs = memoryRuns()
  const schedules = memorySchedules(clock)
  const served = new Map<string, AnyWorkflow>()
  const isServed = (workflow: string) => served.has(workflow)
  const now = () => clock.now().getTime()
  const idle = Latch.makeUnsafe(true)

  const takeDue = (): Run | null => {
    for (const { workflow, id, input, tick } of schedules.fire(isServed))
      runs.enqueue(keyOf(workflow, id, tick.toISOString()), workflow, id, { input, dueAt: tick.getTime() })
    return runs.takeDue(now(), isServed)
  }

  const attempt = (run: Run, workflow: AnyWorkflow): Effect.Effect<unknown> => {
    const input = Schema.decodeUnknownExit(workflow.input)(JSON.parse(run.input))
    const recordEnd = (exit: Exit.Exit<unknown, unknown>) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit)) onDeath({ workflow: run.workflow, id: run.id, cause: Cause.pretty(exit.cause) })
        if (Exit.isSuccess(exit) || Exit.isFailure(input)) runs.end(run.key)
        else runs.died(run, now())
      })
    return Exit.isFailure(input)
      ? recordEnd(input)
      : workflow.run(input.value).pipe(Effect.onExit(recordEnd), Effect.exit)
  }

  return {
    ...memoryRunner(clock, runs, schedules),
    serve: (workflows) => {
      for (const workflow of workflows) served.set(workflow.name, workflow)
      const stop = Effect.sync(() => {
        for (const workflow of workflows) served.delete(workflow.name)
      })
      return { drain: () => Effect.andThen(stop, idle.await) }
    },
    runDue: Effect.fnUntraced(function* () {
      let ran = 0
      for (let run = takeDue(); run !== null; run = takeDue()) {
        idle.closeUnsafe()
        yield* Effect.ensuring(attempt(run, served.get(run.workflow) as AnyWorkflow), idle.open)
        ran += 1
      }
      return ran
    }),
    nextDueAt: () => {
      let next = Math.min(...schedules.ticks(isServed))
      for (const run of runs.waiting()) if (run.dueAt < next && isServed(run.workflow)) next = run.dueAt
      return next === Number.POSITIVE_INFINITY ? null : new Date(next)
    },
    nextTick: (workflow, id) => schedules.tickOf(keyOf(workflow.name, id)),
  }
}

const memoryRunner = (
  clock: Clock,
  runs: ReturnType<typeof memoryRuns>,
  schedules: ReturnType<typeof memorySchedules>,
): WorkflowRunner => ({
  start: (workflow, id, input, options) =>
    Effect.sync(() => {
      const dueAt = Math.max(options?.at?.getTime() ?? 0, clock.now().getTime())
      runs.enqueue(keyOf(workflow.name, id), workflow.name, id, { input: encode(workflow, input), dueAt })
    }),
  terminate: (workflow, id) => Effect.sync(() => runs.cancel(keyOf(workflow.name, id))),
  schedule: (workflow, id, recurrence, input) =>
    Effect.sync(() => {
      const { cron, timezone } = recurrence
      schedules.set(keyOf(workflow.name, id), {
        workflow: workflow.name,
        id,
        recurrence: { cron, timezone },
        input: encode(workflow, input),
      })
    }),
  unschedule: (workflow, id) => Effect.sync(() => schedules.remove(keyOf(workflow.name, id))),
  backlog: () =>
    Effect.sync(() => {
      const now = clock.now().getTime()
      const times = [...runs.waiting().map((run) => run.dueAt), ...schedules.ticks(() => true)]
      const due = times.filter((at) => at <= now)
      return { waiting: due.length, oldest_seconds: due.length === 0 ? 0 : (now - Math.min(...due)) / 1000 }
    }),
})
