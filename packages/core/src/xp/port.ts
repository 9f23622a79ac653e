import type { Effect } from "effect"
import type { Table } from "../ports/table.ts"
import type { XpDay, XpDayKey, XpEntry, XpTotal } from "./entry.ts"
import type { XpLevel, XpRule } from "./rule.ts"

/** The ledger of XP. Unique: `cause_key`. Removed with their user. */
export interface XpEntries extends Table<XpEntry> {
  /** Those of the causes that have an entry. */
  findCauses(causes: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>>
  /** Inserts all of the entries. A cause that has an entry is a defect. */
  insertMany(entries: ReadonlyArray<XpEntry>): Effect.Effect<void>
  /** Up to `limit` entries of a user, the newest first: by `created_at`, then by `id`. */
  newest(userId: string, limit: number): Effect.Effect<ReadonlyArray<XpEntry>>
  /** Notes of these entries that leaderboards know of them. */
  markRanked(ids: ReadonlyArray<string>): Effect.Effect<void>
  /** Removes up to `limit` entries of a user, and passes over those that others have locked. Answers how many. */
  removeSome(userId: string, limit: number): Effect.Effect<number>
}

/** The totals of users, a row each, made on first use. Removed with their user. */
export interface XpTotals {
  /** The total of a user; 0 where there is none. */
  find(userId: string): Effect.Effect<XpTotal>
  /** The totals of users, of those who have one. */
  findMany(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, XpTotal>>
  /**
   * The totals of those users that exist, made where they were missing. Locks the users against removal, then the totals, both
   * in the order of the users' ids, until the transaction ends.
   */
  lockMany(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, XpTotal>>
  /** Writes totals that the caller has locked. */
  save(totals: ReadonlyArray<XpTotal>): Effect.Effect<void>
}

/** What users were given by event name and day. Removed with their user. Whoever reads or writes has locked the totals. */
export interface XpDays {
  /** Those that exist. */
  list(keys: ReadonlyArray<XpDayKey>): Effect.Effect<ReadonlyArray<XpDay>>
  /** Inserts or replaces them by their keys, each named once. */
  save(days: ReadonlyArray<XpDay>): Effect.Effect<void>
}

/** What events are worth. */
export interface XpRules {
  /** In the order in which they were given. */
  list(): Effect.Effect<ReadonlyArray<XpRule>>
  /** The rules of these events, in any order. */
  listByName(eventNames: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<XpRule>>
  /** Replaces all rules. An event name given twice is a defect. */
  replace(rules: ReadonlyArray<XpRule>): Effect.Effect<void>
}

/** The levels of a project. */
export interface XpLevels {
  /** By `xp_required`, ascending. */
  list(): Effect.Effect<ReadonlyArray<XpLevel>>
  /** Replaces all levels. An `xp_required` given twice is a defect. */
  replace(levels: ReadonlyArray<XpLevel>): Effect.Effect<void>
}

/** What a project's database has for XP. */
export interface XpDb {
  readonly xpEntries: XpEntries
  readonly xpTotals: XpTotals
  readonly xpDays: XpDays
  readonly xpRules: XpRules
  readonly xpLevels: XpLevels
}
