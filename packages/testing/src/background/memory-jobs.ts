import { Count, clockToleranceMillis, Text, Timestamp, Uuid } from "@hearth/core"
import type { DueJob, JobSchedule, ProjectJobs } from "@hearth/core/background"
import type { ProjectRow } from "@hearth/core/projects"
import { Schema } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable, type Shape } from "../memory/shape.ts"
import { select } from "../memory/table.ts"

const JobRow = Schema.Struct({
  /** Made of the project and the job. */
  id: Text,
  project_id: Uuid,
  job: Text,
  version: Count,
  run_at: Schema.NullOr(Timestamp),
  pending_until: Schema.NullOr(Timestamp),
  noted_at: Timestamp,
})

/** When one job of a project is due. */
export type JobRow = typeof JobRow.Type

// Work that was announced is committed within this time.
const pendingMillis = 2 * 60_000
// What is due all the time moves back in the line, but is not written at each look.
const behindMillis = 60_000

/** The table of jobs, of the projects in the table `projects`. */
export const jobShape = (projects: string): Shape<JobRow> =>
  describeTable("project jobs", JobRow, { parents: { project_id: projects } })

const earlier = (a: Date | null, b: Date) => (a === null || a > b ? b : a)
const later = (a: Date | null, b: Date) => (a === null || a < b ? b : a)

/** Whether a row was written by a clock that was ahead: then its time is none to wait for. */
const isOfTheFuture = (row: JobRow, now: Date) =>
  row.run_at !== null && row.noted_at.getTime() > now.getTime() + clockToleranceMillis

/** When the jobs of projects are due. */
export const memoryJobs = (statements: Statements, shape: Shape<JobRow>, projects: Shape<ProjectRow>): ProjectJobs => {
  // Kept, because a look asks for the rows of all jobs, and a text that was just put together is slow to find a row by.
  const ids = new Map<string, Map<string, string>>()
  const idOf = (projectId: string, job: string) => {
    const known = ids.get(projectId) ?? new Map<string, string>()
    const id = known.get(job) ?? `${projectId.toLowerCase()}/${job}`
    ids.set(projectId, known.set(job, id))
    return id
  }
  const rowOf = (draft: Draft, projectId: string, job: string) => rowsOf(draft, shape).get(idOf(projectId, job))
  const write = (draft: Draft, row: JobRow) => {
    const present = rowsOf(draft, shape).get(row.id)
    if (present === undefined) insertRow(draft, shape, row)
    else replaceRow(draft, shape, present, row)
  }

  const schedule = (draft: Draft, project_id: string, lookedAt: Date, { job, version, run_at }: JobSchedule) => {
    const present = rowOf(draft, project_id, job)
    if (present !== undefined && present.version !== version) return
    const pendingUntil = present?.pending_until ?? null
    const isPending = pendingUntil !== null && pendingUntil > lookedAt
    const longest = new Date(lookedAt.getTime() + pendingMillis)
    const isPendingTooLong = pendingUntil !== null && pendingUntil.getTime() > longest.getTime() + clockToleranceMillis
    const isWrong = present !== undefined && isOfTheFuture(present, lookedAt)
    const behind = new Date(lookedAt.getTime() - behindMillis)
    const known = isWrong ? lookedAt : (present?.run_at ?? null)
    const next = isPending ? earlier(run_at, later(known, behind)) : run_at
    const isNews = present === undefined || present.run_at?.getTime() !== next?.getTime()
    if (!isNews && !isWrong && !isPendingTooLong) return
    write(draft, {
      id: idOf(project_id, job),
      project_id,
      job,
      version: version + 1,
      run_at: next,
      pending_until: isPendingTooLong ? longest : pendingUntil,
      noted_at: lookedAt,
    })
  }

  return {
    markPending: (projectId, job, at, now) =>
      statements.change((draft) => {
        const [project] = select(draft, projects, { id: projectId })
        if (project === undefined) return
        const present = rowOf(draft, projectId, job)
        write(draft, {
          id: idOf(projectId, job),
          project_id: project.id,
          job,
          version: (present?.version ?? 0) + 1,
          run_at: earlier(present?.run_at ?? null, at),
          pending_until: later(present?.pending_until ?? null, new Date(now.getTime() + pendingMillis)),
          noted_at: later(present?.noted_at ?? null, now),
        })
      }),
    versions: (projectId) =>
      statements.query((draft) => {
        const versions = new Map<string, number>()
        const id = projectId.toLowerCase()
        for (const { project_id, job, version } of rowsOf(draft, shape).values())
          if (project_id === id) versions.set(job, version)
        return versions
      }),
    schedule: (projectId, lookedAt, schedules) =>
      statements.change((draft) => {
        const [project] = select(draft, projects, { id: projectId })
        if (project === undefined) return
        for (const each of schedules) schedule(draft, project.id, lookedAt, each)
      }),
    due: (jobs, now, limit) =>
      statements.query((draft) => {
        const found: Array<DueJob & { readonly at: number }> = []
        const millis = now.getTime()
        for (const { id: project_id } of select(draft, projects, { is_ready: true })) {
          for (const job of jobs) {
            const row = rowOf(draft, project_id, job)
            const noted = row?.run_at?.getTime() ?? Number.POSITIVE_INFINITY
            const at = row === undefined ? Number.NEGATIVE_INFINITY : isOfTheFuture(row, now) ? millis : noted
            if (at <= millis) found.push({ project_id, job, at })
          }
        }
        const key = ({ project_id, job }: DueJob) => `${project_id}/${job}`
        return found
          .toSorted((a, b) => (a.at === b.at ? (key(a) < key(b) ? -1 : 1) : a.at < b.at ? -1 : 1))
          .slice(0, limit)
          .map(({ project_id, job }) => ({ project_id, job }))
      }),
  }
}
