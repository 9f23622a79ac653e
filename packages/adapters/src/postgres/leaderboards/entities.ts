import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"
import { countTriggerSql, countTriggers } from "./count-triggers.ts"

export const Leaderboard = defineEntity({
  name: "Leaderboard",
  tableName: "leaderboards",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    metric: p.enum(["xp", "streak_length", "custom"] as const),
    period: p.enum(["all_time", "daily", "weekly", "monthly"] as const),
    max_entries: p.integer().check("max_entries > 0"),
    custom_event: p.text().nullable(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
    filling: p.boolean().default(false),
    version: p.integer().default(0),
    filled_through: p.uuid().nullable(),
  },
})

/** Of earlier releases, which read it for exports. It has no rows, and goes when they are gone (docs/adr/0016). */
export const LeaderboardEntry = defineEntity({
  name: "LeaderboardEntry",
  tableName: "leaderboard_entries",
  properties: {
    id: p.uuid().primary(),
    leaderboard_id: () => p.manyToOne(Leaderboard).mapToPk().deleteRule("cascade"),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").index(),
    window_start: p.date(),
    score: p.double(),
    rank: p.integer().nullable(),
    reached_at: p.datetime(3),
  },
  // The generated name would be longer than PostgreSQL allows.
  uniques: [
    { name: "leaderboard_entries_place_unique", properties: ["leaderboard_id", "window_start", "app_user_id"] },
  ],
  indexes: [{ properties: ["leaderboard_id", "window_start", "rank"] }],
})

const ofBoard = () => p.manyToOne(Leaderboard).mapToPk().deleteRule("cascade").updateRule("no action")

const numeric = () => p.decimal().columnType("numeric")

/** The scores of users. Their order has an index; ranks are counted when they are read (docs/adr/0018). */
export const LeaderboardScore = defineEntity({
  name: "LeaderboardScore",
  tableName: "leaderboard_scores",
  properties: {
    leaderboard_id: () => ofBoard().primary(),
    version: p.integer().primary(),
    window_start: p.date().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().primary().deleteRule("cascade").updateRule("no action").index(),
    score: numeric(),
    /** The score below zero, so that the order of a leaderboard is ascending in all of its columns. */
    deficit: numeric().generated("(- score) stored"),
    reached_at: p.datetime(3),
    /** Whether the user is not disabled. */
    is_listed: p.boolean(),
  },
  indexes: [
    {
      name: "leaderboard_scores_order_index",
      properties: ["leaderboard_id", "version", "window_start", "deficit", "reached_at", "app_user_id"],
      where: "is_listed",
    },
  ],
  triggers: countTriggers,
})

/** How many scores are listed in a window. Who changes one of them locks it first. */
export const LeaderboardWindow = defineEntity({
  name: "LeaderboardWindow",
  tableName: "leaderboard_windows",
  properties: {
    leaderboard_id: () => ofBoard().primary(),
    version: p.integer().primary(),
    window_start: p.date().primary(),
    entries: p.integer(),
  },
})

/** How many scores are listed in a part of a window: from the position of the block on to that of the next one. */
export const LeaderboardBlock = defineEntity({
  name: "LeaderboardBlock",
  tableName: "leaderboard_blocks",
  properties: {
    leaderboard_id: () => ofBoard().primary(),
    version: p.integer().primary(),
    window_start: p.date().primary(),
    deficit: numeric().primary(),
    reached_at: p.datetime(3).primary(),
    /** No user need be there any more. */
    app_user_id: p.uuid().primary(),
    entries: p.integer(),
    /** The first one of its window is never merged into another. */
    is_first: p.boolean(),
  },
  indexes: [
    { name: "leaderboard_blocks_large_index", properties: ["leaderboard_id"], where: "entries > 2000" },
    { name: "leaderboard_blocks_small_index", properties: ["leaderboard_id"], where: "entries < 250 and not is_first" },
  ],
})

const ofTable = (table: string) => `
    leaderboard_id uuid not null
      constraint ${table}_leaderboard_id_foreign references leaderboards on delete cascade,
    version int not null,
    window_start date not null`

/** What leaderboards keep, and the triggers that count it. */
export const leaderboardScores = schemaStep("0018-leaderboards", [
  `alter table leaderboards add column filling boolean not null default false,
    add column version int not null default 0, add column filled_through uuid`,
  `create table leaderboard_scores (${ofTable("leaderboard_scores")},
    app_user_id uuid not null
      constraint leaderboard_scores_app_user_id_foreign references app_users on delete cascade,
    score numeric not null,
    deficit numeric generated always as (- score) stored not null,
    reached_at timestamptz(3) not null,
    is_listed boolean not null,
    primary key (leaderboard_id, version, window_start, app_user_id)
  )`,
  "create index leaderboard_scores_app_user_id_index on leaderboard_scores (app_user_id)",
  `create index leaderboard_scores_order_index on leaderboard_scores
    (leaderboard_id, version, window_start, deficit, reached_at, app_user_id) where is_listed`,
  `create table leaderboard_windows (${ofTable("leaderboard_windows")},
    entries int not null,
    primary key (leaderboard_id, version, window_start)
  )`,
  `create table leaderboard_blocks (${ofTable("leaderboard_blocks")},
    deficit numeric not null,
    reached_at timestamptz(3) not null,
    app_user_id uuid not null,
    entries int not null,
    is_first boolean not null,
    primary key (leaderboard_id, version, window_start, deficit, reached_at, app_user_id)
  )`,
  "create index leaderboard_blocks_large_index on leaderboard_blocks (leaderboard_id) where entries > 2000",
  `create index leaderboard_blocks_small_index on leaderboard_blocks (leaderboard_id)
    where entries < 250 and not is_first`,
  ...countTriggerSql,
])
