import { defineEntity, p } from "@mikro-orm/core"
import { familyColumns, refreshTokenColumns } from "../auth/session-columns.ts"
import { listTrigger } from "../leaderboards/count-triggers.ts"
import { concurrentStep, schemaStep } from "../schema/migration.ts"

export const User = defineEntity({
  name: "User",
  tableName: "app_users",
  properties: {
    id: p.uuid().primary(),
    email: p.text().nullable().unique(),
    display_name: p.text(),
    anonymous_id: p.text().unique(),
    auth_providers: p.json(),
    properties: p.json(),
    first_seen_at: p.datetime(3),
    last_seen_at: p.datetime(3),
    external_id: p.text().nullable().unique(),
    avatar_url: p.text().nullable(),
    timezone: p.text().nullable(),
    password_hash: p.text().nullable(),
    email_verified_at: p.datetime(3).nullable(),
    is_disabled: p.boolean(),
    held_profile: p.json().nullable(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
  indexes: [{ properties: ["first_seen_at"] }],
  triggers: [listTrigger],
})

export const SessionFamily = defineEntity({
  name: "SessionFamily",
  tableName: "app_user_session_families",
  properties: familyColumns(() => User),
  indexes: [{ properties: ["last_used_at"] }],
})

export const RefreshToken = defineEntity({
  name: "RefreshToken",
  tableName: "app_user_sessions",
  properties: refreshTokenColumns(() => SessionFamily),
})

export const Entitlement = defineEntity({
  name: "Entitlement",
  tableName: "user_entitlements",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade"),
    entitlement_id: p.text(),
    is_active: p.boolean(),
    store: p.text().nullable(),
    product_id: p.text().nullable(),
    purchase_date: p.datetime(3).nullable(),
    expiration_date: p.datetime(3).nullable(),
    period_type: p.text().nullable(),
    raw_data: p.json(),
    updated_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "entitlement_id"] }],
})

/**
 * When an email was proven [B15]. Emails came from sign-ups, which have a password, or else from magic links and verified
 * identities: without a password they are proven.
 */
export const provenEmails = schemaStep("0006-proven-emails", [
  "alter table app_users add column email_verified_at timestamptz(3)",
  "update app_users set email_verified_at = created_at where email is not null and password_hash is null",
])

/** New users and cohorts are found by when they were first seen, without reading all users [H5.3]. */
export const usersByFirstSeen = concurrentStep(
  "0036-users-by-first-seen",
  "create index concurrently app_users_first_seen_at_index on app_users (first_seen_at)",
)
