import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

const ofUser = () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action")

export const XpEntry = defineEntity({
  name: "XpEntry",
  tableName: "xp_entries",
  properties: {
    id: p.uuid().primary(),
    app_user_id: ofUser,
    amount: p.integer(),
    source: p.enum(["event", "achievement", "admin", "reward"] as const),
    reference_id: p.text().nullable(),
    cause_key: p.text().unique(),
    occurred_at: p.datetime(3),
    created_at: p.datetime(3),
    is_ranked: p.boolean(),
  },
  indexes: [
    { properties: ["app_user_id", "created_at", "id"] },
    { name: "xp_entries_unranked_index", properties: ["id"], where: "not is_ranked" },
  ],
})

/** The totals of users. Numbers that are whole: doubles are exact up to 2^53. */
export const XpTotal = defineEntity({
  name: "XpTotal",
  tableName: "xp_totals",
  properties: {
    app_user_id: () => ofUser().primary(),
    total: p.double().check("total >= '0'"),
    highest_total: p.double().check("highest_total >= total"),
  },
})

export const XpDay = defineEntity({
  name: "XpDay",
  tableName: "xp_days",
  properties: {
    app_user_id: () => ofUser().primary(),
    event_name: p.text().primary(),
    day: p.date().primary(),
    amount: p.double().check("amount >= '0'"),
  },
})

export const XpRule = defineEntity({
  name: "XpRule",
  tableName: "xp_rules",
  properties: {
    event_name: p.text().primary(),
    amount: p.integer().check("amount > 0"),
    daily_cap: p.double().nullable().check("daily_cap > '0'"),
    position: p.integer(),
  },
})

export const XpLevel = defineEntity({
  name: "XpLevel",
  tableName: "xp_levels",
  properties: { xp_required: p.double().primary().check("xp_required >= '0'"), name: p.text() },
})

/** The tables of XP. */
export const xpLedger = schemaStep("0009-xp", [
  `create table xp_entries (
    id uuid primary key,
    app_user_id uuid not null constraint xp_entries_app_user_id_foreign references app_users on delete cascade,
    amount int not null,
    source text not null
      constraint xp_entries_source_check check (source in ('event', 'achievement', 'admin', 'reward')),
    reference_id text,
    cause_key text not null constraint xp_entries_cause_key_unique unique,
    occurred_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    is_ranked boolean not null
  )`,
  "create index xp_entries_app_user_id_created_at_id_index on xp_entries (app_user_id, created_at, id)",
  "create index xp_entries_unranked_index on xp_entries (id) where not is_ranked",
  `create table xp_totals (
    app_user_id uuid primary key constraint xp_totals_app_user_id_foreign references app_users on delete cascade,
    total double precision not null constraint xp_totals_total_check check (total >= '0'),
    highest_total double precision not null constraint xp_totals_highest_total_check check (highest_total >= total)
  )`,
  `create table xp_days (
    app_user_id uuid not null constraint xp_days_app_user_id_foreign references app_users on delete cascade,
    event_name text not null,
    day date not null,
    amount double precision not null constraint xp_days_amount_check check (amount >= '0'),
    primary key (app_user_id, event_name, day)
  )`,
  `create table xp_rules (
    event_name text primary key,
    amount int not null constraint xp_rules_amount_check check (amount > 0),
    daily_cap double precision constraint xp_rules_daily_cap_check check (daily_cap > '0'),
    position int not null
  )`,
  `create table xp_levels (
    xp_required double precision primary key constraint xp_levels_xp_required_check check (xp_required >= '0'),
    name text not null
  )`,
])
