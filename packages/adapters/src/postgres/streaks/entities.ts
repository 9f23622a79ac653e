import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

export const StreakDefinition = defineEntity({
  name: "StreakDefinition",
  tableName: "streak_definitions",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    description: p.text().nullable(),
    qualifying_event: p.text(),
    period: p.enum(["daily", "weekly"] as const),
    // Quoted, because the server adds a cast to a bare 0, which MikroORM reads as a difference.
    grace_period_hours: p.double().check("grace_period_hours >= '0'"),
    freeze_enabled: p.boolean(),
    max_freezes: p.integer().check("max_freezes >= 0"),
    freezes_per_n_events: p.integer().nullable().check("freezes_per_n_events > 0"),
    created_at: p.datetime(3),
  },
})

const ofUser = () => p.manyToOne(User).mapToPk().deleteRule("cascade")
const ofDefinition = () => p.manyToOne(StreakDefinition).mapToPk().deleteRule("cascade")

export const UserStreak = defineEntity({
  name: "UserStreak",
  tableName: "user_streaks",
  properties: {
    id: p.uuid().primary(),
    app_user_id: ofUser,
    streak_definition_id: ofDefinition,
    current_count: p.integer().check("current_count >= 0"),
    longest_count: p.integer().check("longest_count >= 0"),
    freezes_remaining: p.integer().check("freezes_remaining >= 0"),
    status: p.enum(["active", "frozen", "broken"] as const),
    last_period: p.date().nullable(),
    settled_period: p.date().nullable(),
    last_event_at: p.datetime(3).nullable(),
    last_done_at: p.datetime(3).nullable(),
    last_done_zone: p.text().nullable(),
    rules: p.text().default(""),
    rebuild_from: p.datetime(3).nullable(),
    expires_at: p.datetime(3).nullable(),
    updated_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "streak_definition_id"] }],
  indexes: [
    { properties: ["streak_definition_id", "app_user_id"] },
    { properties: ["expires_at", "id"], where: "expires_at is not null" },
    {
      name: "user_streaks_rebuild_from_index",
      properties: ["streak_definition_id", "app_user_id"],
      where: "rebuild_from is not null",
    },
  ],
})

/** A period that counts for a streak: done by an event, or covered by a freeze. */
export const StreakPeriod = defineEntity({
  name: "StreakPeriod",
  tableName: "streak_events",
  properties: {
    app_user_id: () => ofUser().primary(),
    streak_definition_id: () => ofDefinition().primary().index(),
    period_key: p.date().primary(),
    kind: p.enum(["done", "freeze"] as const),
    occurred_at: p.datetime(3),
    count_after: p.integer().nullable(),
    freezes_after: p.integer().nullable(),
  },
})

/** What a definition has counted of the event log. */
export const QualifyingEvent = defineEntity({
  name: "QualifyingEvent",
  tableName: "qualifying_events",
  properties: {
    app_user_id: () => ofUser().primary(),
    streak_definition_id: () => ofDefinition().primary().index(),
    occurred_at: p.datetime(3).primary(),
    day: p.date(),
    zone: p.text().nullable(),
    events: p.integer().check("events > 0"),
    counted_at: p.datetime(3).nullable(),
  },
})

export const StreakGrant = defineEntity({
  name: "StreakGrant",
  tableName: "streak_grants",
  properties: {
    id: p.uuid().primary(),
    app_user_id: ofUser,
    streak_definition_id: () => ofDefinition().index(),
    from_period: p.date(),
    count: p.integer().check("count >= 0"),
    granted_at: p.datetime(3),
  },
  indexes: [{ properties: ["app_user_id", "streak_definition_id"] }],
})

/**
 * What streaks have counted of the event log, and from where they can be counted on. Streaks of earlier releases have no rules
 * noted, so they are counted again, from their periods, when they meet the next event.
 */
export const streakLog = schemaStep("0007-streak-log", [
  `create table qualifying_events (
    app_user_id uuid not null constraint qualifying_events_app_user_id_foreign references app_users on delete cascade,
    streak_definition_id uuid not null
      constraint qualifying_events_streak_definition_id_foreign references streak_definitions on delete cascade,
    occurred_at timestamptz(3) not null,
    day date not null,
    zone text,
    events int not null constraint qualifying_events_events_check check (events > 0),
    primary key (app_user_id, streak_definition_id, occurred_at)
  )`,
  "create index qualifying_events_streak_definition_id_index on qualifying_events (streak_definition_id)",
  "alter table streak_events add column count_after int, add column freezes_after int",
  `alter table user_streaks add column last_done_at timestamptz(3), add column rules text not null default '',
    add column rebuild_from timestamptz(3)`,
  `create index user_streaks_rebuild_from_index on user_streaks (streak_definition_id, app_user_id)
    where rebuild_from is not null`,
])

/** When events were counted, so that a day that was done stays done when the zone of its user changes. */
export const countingTimes = schemaStep("0042-counting-times", [
  "alter table qualifying_events add column counted_at timestamptz(3)",
])

/** In which zone the last period was done, so that a day is not missed which a move to the east has skipped. */
export const doneZones = schemaStep("0043-done-zones", ["alter table user_streaks add column last_done_zone text"])
