import { Effect, Option, Schema } from "effect"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Workflow } from "../ports/workflow-runner.ts"
import { makeInProject } from "../projects/in-project.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { Uuid } from "../schema.ts"
import { makeFindFitting } from "./cut-batch.ts"
import { errorText, isToTry } from "./dead-letter.ts"
import { makeIntroductions } from "./introduce-reactions.ts"
import { makeNudges, outboxJob } from "./nudges.ts"
import type { BackgroundControlDb, BackgroundDb, OutboxContent } from "./port.ts"
import { makeProcessOutbox } from "./process-outbox.ts"
import { makeHandleEntry, makePrepare, makeReact } from "./react.ts"
import { makeRunJobs } from "./run-jobs.ts"
import { makeRunTasks } from "./run-tasks.ts"
import { makeSetAside, reasonIn } from "./set-aside.ts"
import { makeTurns } from "./turns.ts"
import type { FeatureWork } from "./work.ts"

// One project with a long backlog must not keep the others waiting.
const pollConcurrency = 4
// As often as a worker polls [E10].
const pollMillis = 30_000
// What is left for newer workers is looked at this often.
const othersMillis = 2 * 60_000
// So many letters are tried in one run, so that they do not keep new events waiting.
const triesPerRun = 50
// Of eight workflows that a worker runs side by side, so many are for projects that have more than one run handles.
const backlogsAtOnce = 3
// Such a project whose turn it is not asks again after this.
const againMillis = 200
// A project whose hold or rows are locked by others is asked for again after this.
const busyMillis = 5_000

/** The job that tries dead letters again. */
const retryJob = "dead-letters"

const ProcessProject = Schema.Struct({ project_id: Uuid })

/** How a transaction of `background.transact` is made. */
export interface TransactOptions {
  /** Whether it keeps reactions out: it takes the project's hold before any row. */
  readonly alone?: boolean
}

/**
 * Does what features have registered: reactions to new events, outbox entries by topic, tasks and jobs whose time has come. A
 * nudge through the queue makes it prompt, the poll over the jobs of projects makes it certain [E1, E10].
 */
export const makeDispatcher = <Db extends BackgroundDb & EventsDb>(
  ports: Pick<
    Ports<Db, BackgroundControlDb & ProjectsDb>,
    "clock" | "control" | "ids" | "signals" | "tenants" | "workflows"
  >,
  features: ReadonlyArray<FeatureWork<Db>>,
  turns = makeTurns(ports),
) => {
  const { clock, control, signals, tenants, workflows } = ports
  const inProject = makeInProject(control)
  let isStopping = false
  const reactions = features.flatMap((feature) => feature.reactions ?? [])
  const handlers = new Map(features.flatMap((feature) => Object.entries(feature.handlers ?? {})))
  const tasks = features.flatMap((feature) => feature.tasks ?? [])
  const topics = [...handlers.keys()]
  const introductions = makeIntroductions(ports, reactions)
  const prepare = makePrepare(reactions)
  const react = makeReact(ports.ids, reactions, prepare, introductions)
  const handleEntry = makeHandleEntry(handlers)
  const whenSetAside = new Map(features.flatMap((feature) => Object.entries(feature.whenSetAside ?? {})))
  const setAside = makeSetAside(ports, react, handleEntry, whenSetAside)
  for (const { name, rebuild } of reactions)
    if (rebuild !== undefined && !handlers.has(rebuild))
      throw new Error(`${name} names a rebuild without a handler: ${rebuild}.`)
  const outbox = makeProcessOutbox(ports, {
    prepare,
    findFitting: makeFindFitting(reactions),
    react,
    handleEntry,
    setAside,
    limits: { topics, properties: reactions.some(({ readsProperties }) => readsProperties === true) },
    isStopping: () => isStopping,
  })
  const runTasks = makeRunTasks(ports, tasks, () => isStopping)
  const backlogTurns = makeTurns(ports, backlogsAtOnce)
  /** The projects whose last run has left something. */
  const backlogged = new Set<string>()
  const noteDone = (projectId: string) => {
    backlogged.delete(projectId)
    // Its runs that were turned away meanwhile will ask for no turn.
    backlogTurns.leave(projectId)
  }
  const runJobs = makeRunJobs(
    ports,
    features.flatMap((feature) => feature.jobs ?? []),
    turns,
  )

  const nextTryAt = (projectId: string) => tenants.read(projectId, (db) => db.deadLetters.nextTryAt(topics))

  /** Tries the letters whose time has come. Answers whether there were any, and when the next one is due. */
  const retryLetters = Effect.fnUntraced(function* (projectId: string) {
    const at = yield* nextTryAt(projectId)
    if (at === null || !isToTry(at, clock.now())) return { tried: false, at }
    for (let tries = 0; tries < triesPerRun && !isStopping; tries += 1) {
      const due = yield* tenants.read(projectId, (db) => db.deadLetters.nextDue(clock.now(), topics))
      if (Option.isNone(due)) break
      yield* setAside.tryAlone(projectId, due.value.id)
    }
    return { tried: true, at: yield* nextTryAt(projectId) }
  })

  /**
   * When to look at an outbox again: never where it is empty, at once where a task or a letter has added to it, later for what is
   * left for a worker that serves other topics, because a newer one may not have been told of it.
   */
  const nextLookAt = (content: OutboxContent, now: Date) => {
    if (content === "nothing") return null
    return content === "served" ? now : new Date(now.getTime() + othersMillis)
  }

  /**
   * Handles what waits in a project, for a bounded time, and notes when it has to be looked at again. What is left is asked for
   * anew. Two at once do nothing twice.
   */
  const processOnce = Effect.fnUntraced(function* (projectId: string) {
    const lookedAt = clock.now()
    const versions = yield* control.read((db) => db.jobs.versions(projectId))
    const introduced = yield* introductions.introduce(projectId)
    const outcome = outbox.pausedUntil(projectId) === null ? yield* outbox.process(projectId) : "paused"
    const tasks = yield* runTasks.runDue(projectId)
    const letters = yield* retryLetters(projectId)
    const times = new Map([...introduced, ...tasks.times, [retryJob, letters.at]])
    if (outcome === "more" || outcome === "paused" || outcome === "gathered")
      times.set(outboxJob, outbox.pausedUntil(projectId) ?? lookedAt)
    else {
      const now = clock.now()
      times.set(outboxJob, nextLookAt(tasks.ran || letters.tried ? yield* outbox.look(projectId) : outcome, now))
    }
    const schedules = [...times].map(([job, run_at]) => ({ job, run_at, version: versions.get(job) ?? 0 }))
    yield* control.read((db) => db.jobs.schedule(projectId, lookedAt, schedules))
    if (outcome === "more") {
      backlogged.add(projectId)
      return yield* startLater(projectId, clock.now())
    }
    noteDone(projectId)
    yield* startSoon(projectId, [...times.values()])
  })

  const process = (projectId: string) =>
    inProject(projectId, processOnce(projectId)).pipe(
      // Somebody else has the hold or a row for long: what waits is as it was, and nothing of it counts as a try.
      Effect.catchTag("TenantBusy", ({ code }) =>
        Effect.andThen(failed(projectId, code), startLater(projectId, new Date(clock.now().getTime() + busyMillis))),
      ),
      // Removed since it was asked for: nothing waits there any more.
      Effect.catchTag("ProjectNotFound", () => Effect.sync(() => noteDone(projectId))),
    )

  /** Processes a project, one with a backlog when it is its turn. */
  const processInTurn = Effect.fnUntraced(function* (projectId: string) {
    if (!backlogged.has(projectId)) return yield* process(projectId)
    const turn = yield* backlogTurns.take(projectId, process(projectId), againMillis)
    // One of its runs stands for all of them.
    if ("again_at" in turn)
      yield* startAt(`${projectId}/turn`, projectId, new Date(clock.now().getTime() + againMillis))
  })

  const startAt = (id: string, project_id: string, at: Date) =>
    isStopping ? Effect.void : Effect.ignoreCause(workflows.start(processProject, id, { project_id }, { at }))

  /** Asks for a run at a time of its own: one that waits for another second does not stand for it. */
  const startLater = (projectId: string, at: Date) =>
    startAt(`${projectId}/${at.toISOString().slice(0, 19)}`, projectId, at)

  /** What is due before the next poll does not wait for it. */
  const startSoon = (projectId: string, times: ReadonlyArray<Date | null>) => {
    const now = clock.now().getTime()
    const soonest = Math.min(...times.map((at) => at?.getTime() ?? Number.POSITIVE_INFINITY))
    // Not at once: what is due and was not done just now waits for somebody else.
    const at = Math.max(soonest, now + 1_000)
    return at < now + pollMillis ? startLater(projectId, new Date(at)) : Effect.void
  }

  const failed = (project_id: string, reason: unknown) =>
    Effect.sync(() => signals.emit({ name: "processing_failed", project_id, reason: errorText(reason) }))

  const processProject: Workflow<typeof ProcessProject.Type> = {
    name: "process-project",
    input: ProcessProject,
    run: ({ project_id }) =>
      Effect.catchTag(processInTurn(project_id), "TenantUnavailable", ({ code }) => failed(project_id, code)),
  }

  const nudges = makeNudges(ports, (projectId) => workflows.start(processProject, projectId, { project_id: projectId }))

  const processedJobs = [outboxJob, retryJob, ...introductions.jobs, ...tasks.map(({ name }) => name)]
  const jobsDue = (now: Date) => control.read((db) => db.jobs.due(processedJobs, now))

  return {
    /** To be called before work is committed: from now on the poll looks at the project. */
    markPending: nudges.markPending,

    /** To be called after it was committed: the project is processed at once, if the queue can be reached. Never waits, never fails. */
    nudge: nudges.nudge,

    /** Reads, under the hold, what the reactions to events need whatever the others do. `react` does it where nobody has. */
    prepare,

    /** Runs the reactions to events in the transaction that has written them, under the hold of the project [E1]. */
    react,

    /** Handles what waits in a project, for a bounded time, and asks for the rest anew. Two at once do nothing twice [E1]. */
    process,

    /** What a worker serves. */
    workflows: [processProject, runJobs.runProjectJob, ...features.flatMap((feature) => feature.workflows ?? [])],

    /**
     * Runs work that leaves something to do: notes the project as pending before it, tells the queue after its commit. Entries are added
     * to `db.outbox`. With `alone` it keeps reactions out, which is for definitions and rebuilds only. Fails as the work does.
     */
    transact: <A, E>(
      projectId: string,
      work: (db: Db) => Effect.Effect<A, E>,
      { alone = false }: TransactOptions = {},
    ) =>
      nudges.markPending(projectId).pipe(
        Effect.andThen(
          alone
            ? tenants.transact(projectId, (db) => Effect.andThen(db.outbox.hold(), work(db)), { locks: "hold" })
            : tenants.transact(projectId, work),
        ),
        Effect.tap(() => nudges.nudge(projectId)),
      ),

    /** The jobs for which the poll would process projects at `now`. */
    jobsDue,

    /**
     * Processes every project that has something due, and starts the jobs that are. What the queue was not told of is found here.
     * Answers how many projects it processed, and how many of them failed and stay due.
     */
    pollDue: Effect.fnUntraced(function* () {
      yield* introductions.beat
      yield* runJobs.startDue()
      const due = yield* jobsDue(clock.now())
      const outcomes = yield* Effect.forEach(
        new Set(due.map(({ project_id }) => project_id)),
        (projectId) =>
          Effect.matchCauseEffect(process(projectId), {
            onFailure: (cause) => Effect.as(failed(projectId, reasonIn(cause)), "failed"),
            onSuccess: () => Effect.succeed("processed"),
          }),
        { concurrency: pollConcurrency },
      )
      return { projects: outcomes.length, failed: outcomes.filter((outcome) => outcome === "failed").length }
    }),

    /** From now on no further batch is begun: what waits is left to others. */
    stop: Effect.sync(() => {
      isStopping = true
    }),
  }
}

/** Does what features have registered. */
export type Dispatcher<Db extends BackgroundDb & EventsDb> = ReturnType<typeof makeDispatcher<Db>>
