import { clockToleranceMillis } from "@hearth/core"
import type { DueJob, ProjectJobs } from "@hearth/core/background"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

// Whatever is committed within this time of a mark is found by a look after it.
const pending = "interval '2 minutes'"
// What is due all the time moves back in the line, but is not written at each look.
const behind = "interval '1 minute'"

const tolerance = `interval '${clockToleranceMillis} milliseconds'`

/** Whether a row was written by a clock that was ahead, as seen at `now`: then its time is none to wait for. */
const isOfTheFuture = (now: string) =>
  `(j.run_at is not null and coalesce(j.noted_at > ${now}::timestamptz + ${tolerance}, false))`
const isPendingTooLong = `coalesce(j.pending_until > $5::timestamptz + ${pending} + ${tolerance}, false)`
const known = `case when ${isOfTheFuture("$5")} then $5::timestamptz else j.run_at end`

/** When a job is due next, after a look at `$5` that found the time in `found`. */
const nextRun = (found: string) =>
  `case when j.pending_until > $5 then least(${found}.run_at, greatest(${known}, $5::timestamptz - ${behind})) else ${found}.run_at end`
// Most looks find what is known. Their rows are not even locked.
const isNews = (found: string) =>
  `(j.run_at is distinct from (${nextRun(found)}) or ${isOfTheFuture("$5")} or ${isPendingTooLong})`

/** When the jobs of projects are due. A project that is gone is passed over. */
export const makeJobs = (statements: Statements): ProjectJobs => ({
  markPending: (projectId, job, at, now) =>
    Effect.asVoid(
      statements.rows(
        `insert into project_jobs as j (project_id, job, version, run_at, pending_until, noted_at)
         select id, $2, 1, $3::timestamptz, $4::timestamptz + ${pending}, $4 from projects where id = $1
         on conflict (project_id, job) do update set version = j.version + 1,
           run_at = least(j.run_at, excluded.run_at), pending_until = greatest(j.pending_until, excluded.pending_until),
           noted_at = greatest(j.noted_at, excluded.noted_at)`,
        [projectId, job, at, now],
      ),
    ),
  versions: (projectId) =>
    Effect.map(
      statements.rows<{ readonly job: string; readonly version: number }>(
        `select job, version from project_jobs where project_id = $1`,
        [projectId],
      ),
      (rows) => new Map(rows.map(({ job, version }) => [job, version])),
    ),
  schedule: (projectId, lookedAt, schedules) =>
    Effect.asVoid(
      statements.rows(
        `insert into project_jobs as j (project_id, job, version, run_at, noted_at)
         select p.id, given.job, given.version + 1, given.run_at, $5::timestamptz
         from projects p cross join unnest($2::text[], $3::int[], $4::timestamptz[]) as given (job, version, run_at)
           left join project_jobs j on j.project_id = p.id and j.job = given.job
         where p.id = $1 and (j.job is null or (j.version = given.version and ${isNews("given")})) order by given.job
         on conflict (project_id, job) do update set version = excluded.version, run_at = ${nextRun("excluded")},
           noted_at = excluded.noted_at,
           pending_until = case when ${isPendingTooLong} then $5::timestamptz + ${pending} else j.pending_until end
         where j.version = excluded.version - 1 and ${isNews("excluded")}`,
        [
          projectId,
          schedules.map(({ job }) => job),
          schedules.map(({ version }) => version),
          schedules.map(({ run_at }) => run_at?.toISOString() ?? null),
          lookedAt,
        ],
      ),
    ),
  due: (jobs, now, limit) =>
    statements.rows<DueJob>(
      `select p.id as project_id, named.job
       from projects p cross join unnest($1::text[]) as named (job)
       left join project_jobs j on j.project_id = p.id and j.job = named.job
       where p.is_ready and (j.job is null or j.run_at <= $2 or ${isOfTheFuture("$2")})
       order by case when ${isOfTheFuture("$2")} then $2 else j.run_at end nulls first, p.id, named.job limit $3`,
      [jobs, now, limit ?? null],
    ),
})
