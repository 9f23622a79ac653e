import { schemaStep } from "../migration.ts"

/** A row per project and job instead of a column per job. Each job of each project is looked at once after this. */
export const projectJobs = schemaStep("0003-project-jobs", [
  `create table project_jobs (
    project_id uuid not null
      constraint project_jobs_project_id_foreign references projects on delete cascade,
    job text not null,
    version int not null,
    run_at timestamptz(3),
    pending_until timestamptz(3),
    primary key (project_id, job)
  )`,
  "drop table project_activity",
])
