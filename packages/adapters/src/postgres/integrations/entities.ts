import { defineEntity, p } from "@mikro-orm/core"
import { Project } from "../projects/entities.ts"
import { notifyRevoked } from "../revocations/trigger.ts"
import { schemaStep } from "../schema/migration.ts"

/** How a project is connected with a provider. What is secret of it is sealed. */
export const Integration = defineEntity({
  name: "Integration",
  tableName: "integrations",
  properties: {
    id: p.uuid().primary(),
    project_id: () => p.manyToOne(Project).mapToPk().deleteRule("cascade"),
    provider: p.enum(["subscription", "paywall", "push_a", "push_b"] as const),
    is_active: p.boolean(),
    config: p.json(),
    sealed: p.text().nullable(),
    sealed_with: p.text().nullable(),
    version: p.integer().check("version >= 0"),
    updated_at: p.datetime(3),
  },
  uniques: [{ properties: ["project_id", "provider"] }],
  triggers: [notifyRevoked("project_id")],
})

/** The table. What is remembered of an integration is forgotten by all processes when it changes. */
export const integrations = schemaStep("0007-integrations", [
  `create table integrations (
    id uuid primary key,
    project_id uuid not null constraint integrations_project_id_foreign references projects on delete cascade,
    provider text not null
      constraint integrations_provider_check check (provider in ('subscription', 'paywall', 'push_a', 'push_b')),
    is_active boolean not null,
    config jsonb not null,
    sealed text,
    sealed_with text,
    version int not null constraint integrations_version_check check (version >= 0),
    updated_at timestamptz(3) not null,
    constraint integrations_project_id_provider_unique unique (project_id, provider)
  )`,
  `create function integrations_notify_revoked_fn() returns trigger language plpgsql as $$ begin
     perform pg_notify('hearth_revocations', old.project_id::text); return null; end $$`,
  `create trigger notify_revoked after update or delete on integrations
     for each row execute function integrations_notify_revoked_fn()`,
])
