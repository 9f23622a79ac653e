import { schemaStep } from "../schema/migration.ts"

const notifyOn = (table: string, body: string) => [
  `create function ${table}_notify_revoked_fn() returns trigger language plpgsql as $$ begin ${body}; return null; end $$`,
  `create trigger notify_revoked after update or delete on ${table}
     for each row execute function ${table}_notify_revoked_fn()`,
]

/**
 * What changes somebody's rights notifies all processes in its transaction, whoever writes it: a process that dies after its
 * commit, a release that does not announce, an operator. A row that is added takes no right away.
 */
export const revocationTriggers = schemaStep("0005-revocation-triggers", [
  ...notifyOn("project_members", "perform pg_notify('hearth_revocations', old.developer_id::text)"),
  ...notifyOn("api_keys", "perform pg_notify('hearth_revocations', old.project_id::text)"),
  ...notifyOn("link_domains", "perform pg_notify('hearth_revocations', old.id::text)"),
  ...notifyOn(
    "projects",
    `if tg_op = 'DELETE' or old.is_ready is distinct from new.is_ready then perform pg_notify('hearth_revocations', old.id::text); end if`,
  ),
])

/** What apps may write is remembered like their keys, so a change of it notifies too [G0.1, G0.2]. */
export const appEventRules = schemaStep("0006-app-event-rules", [
  `alter table projects
     add column server_events jsonb not null default '[]',
     add column client_backdate_hours int not null default 720
       constraint projects_client_backdate_hours_check check (client_backdate_hours >= 1 and client_backdate_hours <= 8760)`,
  `create or replace function projects_notify_revoked_fn() returns trigger language plpgsql as $$ begin
     if tg_op = 'DELETE' or old.is_ready is distinct from new.is_ready
       or old.server_events is distinct from new.server_events
       or old.client_backdate_hours is distinct from new.client_backdate_hours
     then perform pg_notify('hearth_revocations', old.id::text); end if; return null; end $$`,
])

/** How often users may write is remembered with what apps may write [I0.1]. */
export const projectLimits = schemaStep("0008-project-limits", [
  `alter table projects add column limits jsonb not null default '{}'`,
  `create or replace function projects_notify_revoked_fn() returns trigger language plpgsql as $$ begin
     if tg_op = 'DELETE' or old.is_ready is distinct from new.is_ready
       or old.server_events is distinct from new.server_events
       or old.client_backdate_hours is distinct from new.client_backdate_hours
       or old.limits is distinct from new.limits
     then perform pg_notify('hearth_revocations', old.id::text); end if; return null; end $$`,
])
