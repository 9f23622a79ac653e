import type { TenantDb } from "@hearth/core"
import { type Block, blocksSection, type Follow, followsSection } from "@hearth/core/relations"
import { Effect } from "effect"
import { anId, builtAt, type Given } from "../builders.ts"
import { awkwardInstant, earlyInstant, instantsInOrder, lateInstant } from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"

/** A follow. */
export const aFollow = (given: Given<Follow, "follower_id" | "followed_id">): Follow => ({
  ...{ id: anId(), created_at: new Date(builtAt) },
  ...given,
})

/** A block. */
export const aBlock = (given: Given<Block, "blocker_id" | "blocked_id">): Block => ({
  ...{ id: anId(), created_at: new Date(builtAt) },
  ...given,
})

const samples = [{ created_at: awkwardInstant }, { created_at: earlyInstant }, { created_at: lateInstant }] as const

/** The table of follows. */
export const follows: TableCase<TenantDb, Follow> = {
  name: "follows",
  table: (db) => db.follows,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const follower_id = given.follower_id ?? (yield* writeUser(db))
    const followed_id = given.followed_id ?? (yield* writeUser(db))
    return aFollow({ ...given, follower_id, followed_id })
  }),
  samples,
  unique: [["follower_id", "followed_id"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}

/** The table of blocks. */
export const blocks: TableCase<TenantDb, Block> = {
  name: "blocks",
  table: (db) => db.blocks,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const blocker_id = given.blocker_id ?? (yield* writeUser(db))
    const blocked_id = given.blocked_id ?? (yield* writeUser(db))
    return aBlock({ ...given, blocker_id, blocked_id })
  }),
  samples,
  unique: [["blocker_id", "blocked_id"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}

// Each with one of the other user, which is not in the section.
const writeFollows = Effect.fnUntraced(function* (db: TenantDb) {
  const [userId, first, second] = [yield* writeUser(db), yield* writeUser(db), yield* writeUser(db)]
  const rows = [first, second].map((followed_id) => aFollow({ follower_id: userId, followed_id }))
  for (const row of [...rows, aFollow({ follower_id: first, followed_id: userId })]) yield* db.follows.insert(row)
  return { userId, rows }
})

const writeBlocks = Effect.fnUntraced(function* (db: TenantDb) {
  const [userId, first, second] = [yield* writeUser(db), yield* writeUser(db), yield* writeUser(db)]
  const rows = [first, second].map((blocked_id) => aBlock({ blocker_id: userId, blocked_id }))
  for (const row of [...rows, aBlock({ blocker_id: first, blocked_id: userId })]) yield* db.blocks.insert(row)
  return { userId, rows }
})

/** What a project promises about the follows and blocks in the file about a user. */
export const relationSections = [
  sectionContract(followsSection, writeFollows),
  sectionContract(blocksSection, writeBlocks),
]
