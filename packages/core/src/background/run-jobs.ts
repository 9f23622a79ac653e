import { Effect, Schema } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { Workflow } from "../ports/workflow-runner.ts"
import { makeInProject } from "../projects/in-project.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { Uuid } from "../schema.ts"
import { errorText } from "./dead-letter.ts"
import type { BackgroundControlDb } from "./port.ts"
import type { Turns } from "./turns.ts"
import type { ProjectJob } from "./work.ts"

// No more than this are started in one poll, and not all at once: reactions to events wait in the same queue.
const startsPerPoll = 200
const startsPerSecond = 10
// A job whose turn it is not asks again after this.
const otherwiseMillis = 5_000
// A project whose job failed is left alone for so long.
const retryMillis = 5 * 60_000

const RunProjectJob = Schema.Struct({ project_id: Uuid, job: Schema.String })

/** Runs the jobs of projects that take long, each in a workflow of its own. */
export const makeRunJobs = (
  {
    clock,
    control,
    signals,
    workflows,
  }: Pick<Ports<never, BackgroundControlDb & ProjectsDb>, "clock" | "control" | "signals" | "workflows">,
  jobs: ReadonlyArray<ProjectJob>,
  turns: Turns,
) => {
  const inProject = makeInProject(control)
  const byName = new Map(jobs.map((job) => [job.name, job]))

  const retryAt = (project_id: string, job: string, reason: unknown) =>
    Effect.sync(() => {
      signals.emit({ name: "job_failed", project_id, job, reason: errorText(reason) })
      return new Date(clock.now().getTime() + retryMillis)
    })

  const runJob = Effect.fnUntraced(function* (projectId: string, job: ProjectJob) {
    const lookedAt = clock.now()
    const versions = yield* control.read((db) => db.jobs.versions(projectId))
    const run_at = yield* inProject(projectId, job.run(projectId)).pipe(
      Effect.catchTag(["TenantUnavailable", "TenantBusy"], ({ code }) => retryAt(projectId, job.name, code)),
      // Removed since it was asked for.
      Effect.catchTag("ProjectNotFound", () => Effect.succeed(null)),
      Effect.catchDefect((defect) => retryAt(projectId, job.name, defect)),
    )
    const schedule = { job: job.name, version: versions.get(job.name) ?? 0, run_at }
    yield* control.read((db) => db.jobs.schedule(projectId, lookedAt, [schedule]))
  })

  /** Asks for a run; answers whether the queue could be reached. */
  const start = (project_id: string, job: string, at: Date): Effect.Effect<boolean> =>
    workflows.start(runProjectJob, `${project_id}/${job}`, { project_id, job }, { at }).pipe(
      Effect.as(true),
      Effect.catchCause(() =>
        Effect.sync(() => {
          signals.emit({ name: "job_not_started", project_id, job })
          return false
        }),
      ),
    )

  const runProjectJob: Workflow<typeof RunProjectJob.Type> = {
    name: "run-project-job",
    input: RunProjectJob,
    run: Effect.fnUntraced(function* ({ project_id, job }) {
      const found = byName.get(job)
      if (found === undefined) return
      const turn = yield* turns.take(project_id, runJob(project_id, found), otherwiseMillis)
      if ("again_at" in turn) yield* start(project_id, job, turn.again_at)
    }),
  }

  return {
    /** The workflow that runs one job of one project. */
    runProjectJob,

    /** Starts the jobs that are due. What cannot be started, or gets lost, is found by the next poll. */
    startDue: Effect.fnUntraced(function* () {
      if (jobs.length === 0) return
      const now = clock.now()
      const due = yield* control.read((db) => db.jobs.due([...byName.keys()], now, startsPerPoll))
      for (const [index, { project_id, job }] of due.entries()) {
        const at = new Date(now.getTime() + Math.floor(index / startsPerSecond) * 1_000)
        // The others would wait in vain for the same queue.
        if (!(yield* start(project_id, job, at))) return
      }
    }),
  }
}
