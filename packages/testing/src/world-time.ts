import { type Background, expectKnownNames } from "@hearth/core"
import { type Duration, Effect } from "effect"
import { type ManualClock, readMillis } from "./memory/clock.ts"
import type { ManualTimers } from "./memory/timers.ts"
import type { DeadRun, MemoryWorkflows } from "./memory/workflow-runner.ts"

// As often as a worker polls [E10].
const pollMillis = 30_000

/** How background work is done. */
export interface WorkOptions {
  /** Whether workflows may die, and be tried again as by a worker. Otherwise the first death rejects. */
  readonly allowDeaths?: boolean
}

const workOptionNames: Readonly<Record<keyof WorkOptions, true>> = { allowDeaths: true }

/** The parts whose time a world controls. */
export interface WorldTimeParts {
  readonly clock: ManualClock
  readonly timers: ManualTimers
  readonly workflows: MemoryWorkflows
  /** `poll` is what a worker does at boot and every 30 seconds. */
  readonly background: Pick<Background, "poll" | "jobsDue">
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** The tries of workflows that died so far. */
  readonly deaths: ReadonlyArray<DeadRun>
  /** How often the databases were used so far. */
  readonly uses: () => number
}

/**
 * Lets fibers that were resumed, and concurrent ones, run as far as they get by themselves. From within a microtask, the next tick comes when
 * no other microtask is left. It takes a fraction of a turn of the event loop, and fake timers leave it alone.
 */
const yieldToFibers = async () => {
  await undefined
  await new Promise<void>((resume) => process.nextTick(resume))
}

const describeDeath = ({ workflow, id, cause }: DeadRun) =>
  `The workflow ${workflow} (${id}) died. Where that is meant, say { allowDeaths: true }.\n${cause}`

/** Moves the time of a world: never by itself, and never past anything that is due. */
export const worldTime = ({ clock, timers, workflows, background, run, deaths, uses }: WorldTimeParts) => {
  const isDueNow = (next: Date | null) => next !== null && next <= clock.now()

  const runDue = async () => {
    let ran = 0
    do {
      timers.fireDue()
      await yieldToFibers()
      const runs = isDueNow(workflows.nextDueAt()) ? await run(workflows.runDue()) : 0
      if (runs > 0) await yieldToFibers()
      ran += runs
    } while (isDueNow(timers.nextDueAt()) || isDueNow(workflows.nextDueAt()))
    return ran
  }

  // How many projects the last poll could not process.
  let failed = 0

  /** Does what is due, and polls: always, or only where something was done that the poll may find more to do for. Answers whether. */
  const doDue = async (polls: "always" | "if-changed", { allowDeaths = false }: WorkOptions = {}) => {
    const [died, used] = [deaths.length, uses()]
    const ran = await runDue()
    const polled = polls === "always" || ran > 0 || uses() !== used
    if (polled) {
      failed = (await run(background.poll)).failed
      await runDue()
    }
    const death = deaths[died]
    if (death !== undefined && !allowDeaths) throw new Error(describeDeath(death))
    return polled
  }

  const jobsDueAt = (millis: number) =>
    Effect.map(background.jobsDue(new Date(millis)), (jobs) =>
      jobs.map(({ project_id, job }) => `${project_id}/${job}`),
    )

  /**
   * When the poll finds work next, before `end`: in 30 seconds where projects could not be processed, otherwise when the next job
   * becomes due. What the poll has left due has nothing to do until something else happens: it was announced and is done, or was
   * not committed. A binary search finds that time, because the port only promises that more jobs become due as time passes.
   * Evaluations of segments are no stops: a year has 35,000 quarters of an hour. They run at other stops and at the end.
   */
  const nextPollAt = async (end: number): Promise<number> => {
    let low = clock.now().getTime()
    if (failed > 0) return low + pollMillis
    const [now, then] = await run(Effect.all([jobsDueAt(low), jobsDueAt(end)]))
    const left = new Set(now)
    if (then.every((job) => left.has(job))) return Number.POSITIVE_INFINITY
    const isMoreDueAt = async (millis: number) => (await run(jobsDueAt(millis))).some((job) => !left.has(job))
    let high = end
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (await isMoreDueAt(middle)) high = middle
      else low = middle
    }
    return high
  }

  const moveOn = async (millis: number, options?: WorkOptions) => {
    const end = clock.now().getTime() + millis
    await doDue("always", options)
    let pollAt = await nextPollAt(end)
    while (clock.now().getTime() < end) {
      const known = [timers.nextDueAt(), workflows.nextDueAt()].map((next) => next?.getTime() ?? end)
      const next = Math.min(end, pollAt, ...known)
      clock.set(new Date(next))
      const polled = await doDue(next === end || next === pollAt ? "always" : "if-changed", options)
      if (polled && next < end) pollAt = await nextPollAt(end)
    }
  }

  let isMoving = false

  const advance = async (by: Duration.Input, options: WorkOptions = {}) => {
    expectKnownNames("option", options, workOptionNames)
    const millis = readMillis(by)
    if (millis < 0)
      throw new RangeError(`A world moves forward: ${String(by)} lies behind. Set its clock back instead.`)
    if (isMoving) throw new Error("A world's time is being moved already: await advance before the next one.")
    isMoving = true
    try {
      await moveOn(millis, options)
    } finally {
      isMoving = false
    }
  }

  const runPending = async (options: WorkOptions = {}) => {
    expectKnownNames("option", options, workOptionNames)
    await doDue("always", options)
  }

  return { runPending, advance }
}
