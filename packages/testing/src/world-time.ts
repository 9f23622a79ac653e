import type { Background } from "@hearth/core"
import { Duration, type Effect } from "effect"
import type { ManualClock } from "./memory/clock.ts"
import type { ManualTimers } from "./memory/timers.ts"
import type { DeadRun, MemoryWorkflows } from "./memory/workflow-runner.ts"

// As often as a worker polls [E10].
const pollMillis = 30_000

/** How background work is done. */
export interface WorkOptions {
  /** Whether workflows may die, and be tried again as by a worker. Otherwise the first death rejects. */
  readonly allowDeaths?: boolean
}

/** The parts whose time a world controls. */
export interface WorldTimeParts {
  readonly clock: ManualClock
  readonly timers: ManualTimers
  readonly workflows: MemoryWorkflows
  /** `poll` is what a worker does at boot and every 30 seconds. */
  readonly background: Pick<Background, "poll" | "projectsDue">
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** The tries of workflows that died so far. */
  readonly deaths: ReadonlyArray<DeadRun>
}

// Lets fibers that were resumed, and concurrent ones, run.
const yieldToFibers = () => new Promise<void>((resume) => setImmediate(resume))

const describeDeath = ({ workflow, id, cause }: DeadRun) =>
  `The workflow ${workflow} (${id}) died. Where that is meant, say { allowDeaths: true }.\n${cause}`

/** Moves the time of a world: never by itself, and never past anything that is due. */
export const worldTime = ({ clock, timers, workflows, background, run, deaths }: WorldTimeParts) => {
  const isDueNow = (next: Date | null) => next !== null && next <= clock.now()

  const runDue = async () => {
    do {
      timers.fireDue()
      await yieldToFibers()
      await run(workflows.runDue())
      await yieldToFibers()
    } while (isDueNow(timers.nextDueAt()) || isDueNow(workflows.nextDueAt()))
  }

  const runPending = async ({ allowDeaths = false }: WorkOptions = {}) => {
    const before = deaths.length
    await runDue()
    await run(background.poll)
    await runDue()
    const death = deaths[before]
    if (death !== undefined && !allowDeaths) throw new Error(describeDeath(death))
  }

  const projectsDueAt = async (millis: number) => (await run(background.projectsDue(new Date(millis)))).length

  /**
   * When the poll finds work next, before `end`: in 30 seconds while projects are due, otherwise when the first becomes
   * due. A binary search finds that time, because the port only promises that more projects become due as time passes.
   * Evaluations of segments are no stops: a year has 35,000 quarters of an hour. They run at other stops and at the end.
   */
  const nextPollAt = async (end: number): Promise<number> => {
    let low = clock.now().getTime()
    if ((await projectsDueAt(low)) > 0) return low + pollMillis
    if ((await projectsDueAt(end)) === 0) return Number.POSITIVE_INFINITY
    let high = end
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if ((await projectsDueAt(middle)) > 0) high = middle
      else low = middle
    }
    return high
  }

  const advance = async (by: Duration.Input, options?: WorkOptions) => {
    const end = clock.now().getTime() + Duration.toMillis(by)
    for (;;) {
      await runPending(options)
      const now = clock.now().getTime()
      if (now >= end) return
      const known = [timers.nextDueAt(), workflows.nextDueAt()].map((next) => next?.getTime() ?? end)
      clock.set(new Date(Math.min(end, ...known, await nextPollAt(end))))
    }
  }

  return { runPending, advance }
}
