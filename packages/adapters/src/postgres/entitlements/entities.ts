import { defineEntity, p } from "@mikro-orm/core"
import { concurrentStep, schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

/** What each source says about an entitlement. */
export const EntitlementSource = defineEntity({
  name: "EntitlementSource",
  tableName: "entitlement_sources",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action"),
    entitlement_id: p.text(),
    source: p.enum(["admin", "provider", "reward"] as const),
    is_active: p.boolean(),
    store: p.text().nullable(),
    product_id: p.text().nullable(),
    purchase_date: p.datetime(3).nullable(),
    expiration_date: p.datetime(3).nullable(),
    period_type: p.text().nullable(),
    raw_data: p.json(),
    updated_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "source", "entitlement_id"] }],
  indexes: [
    {
      name: "entitlement_sources_ends_index",
      properties: ["expiration_date", "id"],
      where: "source = 'provider' and is_active and expiration_date is not null",
    },
  ],
})

/** The table of what sources say. It begins empty: what is there without sources was granted by developers. */
export const entitlementSources = schemaStep("0008-entitlement-sources", [
  `create table entitlement_sources (
    id uuid primary key,
    app_user_id uuid not null
      constraint entitlement_sources_app_user_id_foreign references app_users on delete cascade,
    entitlement_id text not null,
    source text not null constraint entitlement_sources_source_check check (source in ('admin', 'provider', 'reward')),
    is_active boolean not null,
    store text,
    product_id text,
    purchase_date timestamptz(3),
    expiration_date timestamptz(3),
    period_type text,
    raw_data jsonb not null,
    updated_at timestamptz(3) not null,
    constraint entitlement_sources_app_user_id_source_entitlement_id_unique unique (app_user_id, source, entitlement_id)
  )`,
])

/** What of the provider's ends next is found by this index. */
export const entitlementEnds = concurrentStep(
  "0035-entitlement-ends",
  `create index concurrently entitlement_sources_ends_index on entitlement_sources (expiration_date, id)
    where source = 'provider' and is_active and expiration_date is not null`,
)
