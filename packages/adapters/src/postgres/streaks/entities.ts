import { defineEntity, p } from "@mikro-orm/postgresql"
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
    expires_at: p.datetime(3).nullable(),
    updated_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "streak_definition_id"] }],
  indexes: [
    { properties: ["streak_definition_id", "app_user_id"] },
    { properties: ["expires_at", "id"], where: "expires_at is not null" },
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
