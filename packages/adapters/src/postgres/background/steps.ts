import { schemaStep } from "../schema/migration.ts"

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
  "create table workers (id uuid primary key, reactions text[] not null, seen_at timestamptz(3) not null)",
])

/** What a clock has written that was ahead can be told from what is planned. */
export const notedJobs = schemaStep("0011-noted-jobs", ["alter table project_jobs add column noted_at timestamptz(3)"])

/** Topics are text with a payload; platform events have a cause; what cannot be handled is set aside. */
export const deadLettersAndCauses = schemaStep("0004-background", [
  "alter table outbox drop constraint outbox_topic_check",
  "alter table outbox rename column subject to payload",
  "alter table outbox add column bytes int not null default 0",
  "alter table outbox alter column bytes drop default",
  "update outbox set topic = 'streaks.rebuild' where topic = 'streak-definition'",
  "alter table engagement_events add column cause_key text",
  `create unique index engagement_events_cause_key_unique on engagement_events (cause_key)
     where cause_key is not null`,
  `create table outbox_dead (
    id uuid primary key,
    event_id uuid
      constraint outbox_dead_event_id_unique unique
      constraint outbox_dead_event_id_foreign references engagement_events on delete cascade,
    topic text,
    payload jsonb,
    app_user_id uuid constraint outbox_dead_app_user_id_foreign references app_users on delete cascade,
    reaction text not null,
    error text not null,
    status text not null constraint outbox_dead_status_check check (status in ('retrying', 'dead')),
    tries int not null constraint outbox_dead_tries_check check (tries >= 0),
    first_failed_at timestamptz(3) not null,
    next_try_at timestamptz(3)
  )`,
  "create index outbox_dead_app_user_id_index on outbox_dead (app_user_id)",
  "create index outbox_dead_first_failed_at_id_index on outbox_dead (first_failed_at, id)",
  "create index outbox_dead_next_try_at_index on outbox_dead (next_try_at) where next_try_at is not null",
  "create table introduced_reactions (name text primary key)",
])
