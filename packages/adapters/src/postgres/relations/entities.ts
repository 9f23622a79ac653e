import { defineEntity, p } from "@mikro-orm/core"
import { feedTables } from "../feeds/entities.ts"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

const ofUser = () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action")

export const Follow = defineEntity({
  name: "Follow",
  tableName: "follows",
  properties: { id: p.uuid().primary(), follower_id: ofUser, followed_id: ofUser, created_at: p.datetime(3) },
  uniques: [{ properties: ["follower_id", "followed_id"] }],
  // Whom a user follows are at most 5,000: they are sorted. A user's followers may be any number.
  indexes: [{ properties: ["followed_id", "created_at", "id"] }],
})

export const Block = defineEntity({
  name: "Block",
  tableName: "blocks",
  properties: { id: p.uuid().primary(), blocker_id: ofUser, blocked_id: ofUser, created_at: p.datetime(3) },
  uniques: [{ properties: ["blocker_id", "blocked_id"] }],
  indexes: [{ properties: ["blocked_id", "blocker_id"] }],
})

/** The tables of relations between users, and of feeds. */
export const relationsAndFeeds = schemaStep("0029-relations-and-feeds", [
  `create table follows (
    id uuid primary key,
    follower_id uuid not null constraint follows_follower_id_foreign references app_users on delete cascade,
    followed_id uuid not null constraint follows_followed_id_foreign references app_users on delete cascade,
    created_at timestamptz(3) not null,
    constraint follows_follower_id_followed_id_unique unique (follower_id, followed_id)
  )`,
  "create index follows_followed_id_created_at_id_index on follows (followed_id, created_at, id)",
  `create table blocks (
    id uuid primary key,
    blocker_id uuid not null constraint blocks_blocker_id_foreign references app_users on delete cascade,
    blocked_id uuid not null constraint blocks_blocked_id_foreign references app_users on delete cascade,
    created_at timestamptz(3) not null,
    constraint blocks_blocker_id_blocked_id_unique unique (blocker_id, blocked_id)
  )`,
  "create index blocks_blocked_id_blocker_id_index on blocks (blocked_id, blocker_id)",
  ...feedTables,
])
