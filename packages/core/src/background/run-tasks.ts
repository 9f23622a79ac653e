import { Effect } from "effect"
import type { TenantFailure } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import { together } from "../together.ts"
import { errorText } from "./dead-letter.ts"
import type { BackgroundDb } from "./port.ts"
import type { ProjectTask } from "./work.ts"

// What is left of a task after so many pieces waits for the next run, so that no task keeps the others waiting.
const piecesPerRun = 20
// A task that failed is left alone for so long, in this process. The others go on.
const retryMillis = 60_000

/** Whether a task was due, and when each is to run next, by name. */
export interface TaskRuns {
  readonly ran: boolean
  readonly times: ReadonlyMap<string, Date | null>
}

/** Runs the tasks of projects whose time has come. */
export const makeRunTasks = <Db extends BackgroundDb>(
  { clock, signals, tenants }: Pick<Ports<Db>, "clock" | "signals" | "tenants">,
  tasks: ReadonlyArray<ProjectTask<Db>>,
  isStopping: () => boolean,
) => {
  const retries = new Map<string, Date>()

  const retryLater = (projectId: string, task: string, reason: unknown) =>
    Effect.sync(() => {
      signals.emit({ name: "task_failed", project_id: projectId, task, reason: errorText(reason) })
      const at = new Date(clock.now().getTime() + retryMillis)
      retries.set(`${projectId}/${task}`, at)
      return { retryAt: at }
    })

  /** What `work` answers, or when the task is to be tried again: it died, or what it has to change was locked. */
  const orRetry = <A>(projectId: string, { name }: ProjectTask<Db>, work: Effect.Effect<A, TenantFailure>) =>
    work.pipe(
      Effect.catchTag("TenantBusy", ({ code }) => retryLater(projectId, name, code)),
      Effect.catchDefect((defect) => retryLater(projectId, name, defect)),
    )

  /** When a task that failed is tried again; null where it is not left alone. */
  const retryOf = (projectId: string, { name }: ProjectTask<Db>): Date | null => {
    const key = `${projectId}/${name}`
    const at = retries.get(key)
    const left = at === undefined ? 0 : at.getTime() - clock.now().getTime()
    // Longer than it was put off for: the clock was set back.
    if (at === undefined || (left > 0 && left <= retryMillis)) return at ?? null
    retries.delete(key)
    return null
  }

  const askAlone = (projectId: string, task: ProjectTask<Db>) => {
    const asked = tenants.read(projectId, (db) => task.nextRunAt(db))
    return Effect.map(orRetry(projectId, task, asked), (at) => (at !== null && "retryAt" in at ? at.retryAt : at))
  }

  // At once, so that one statement can answer them all. Where it cannot, what is wrong with one keeps nobody from asking the others.
  const ask = (projectId: string, asked: ReadonlyArray<ProjectTask<Db>>) =>
    tenants
      .read(projectId, (db) => together(asked.map((task) => task.nextRunAt(db))))
      .pipe(
        Effect.catchTag("TenantBusy", ({ code }) =>
          Effect.forEach(asked, ({ name }) => Effect.map(retryLater(projectId, name, code), ({ retryAt }) => retryAt)),
        ),
        Effect.catchDefect(() => Effect.forEach(asked, (task) => askAlone(projectId, task))),
      )

  const nextRunTimes = (projectId: string) =>
    Effect.suspend(() => {
      const left = retries.size === 0 ? [] : tasks.map((task) => retryOf(projectId, task))
      const asked = tasks.filter((_, index) => (left[index] ?? null) === null)
      return Effect.map(ask(projectId, asked), (answers) => {
        const times = new Map(tasks.map(({ name }, index) => [name, left[index] ?? null]))
        for (const [index, { name }] of asked.entries()) times.set(name, answers[index] ?? null)
        return times
      })
    })

  const runPieces = Effect.fnUntraced(function* (projectId: string, { alone = false, runNext }: ProjectTask<Db>) {
    for (let pieces = 0; pieces < piecesPerRun && !isStopping(); pieces += 1) {
      const more = yield* alone
        ? tenants.transact(projectId, (db) => Effect.andThen(db.outbox.hold(), runNext(db)), { locks: "hold" })
        : tenants.transact(projectId, runNext)
      if (!more) return
    }
  })

  return {
    /** Runs what is due, each task for a bounded number of pieces, and answers when each has to run next. */
    runDue: Effect.fnUntraced(function* (projectId: string) {
      let [times, ran] = [yield* nextRunTimes(projectId), false]
      for (const task of tasks) {
        const at = times.get(task.name) ?? null
        if (at === null || at > clock.now()) continue
        yield* orRetry(projectId, task, runPieces(projectId, task))
        times = yield* nextRunTimes(projectId)
        ran = true
      }
      return { ran, times } satisfies TaskRuns
    }),
  }
}
