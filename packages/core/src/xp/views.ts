import { Effect, Schema } from "effect"
import { makeCursor } from "../cursor.ts"
import { Whole } from "../schema.ts"
import { findLevels } from "./apply-awards.ts"
import { XpEntryView, XpTotal } from "./entry.ts"
import type { XpDb } from "./port.ts"
import { XpLevel } from "./rule.ts"

const fields = {
  total: XpTotal.fields.total,
  /** The last level that the total has reached; null below the first. */
  level: Schema.NullOr(XpLevel),
  /** The one after it; null where there is none. */
  next_level: Schema.NullOr(XpLevel),
}

/** The XP of a user, as the user sees it [G2.4]. */
export const OwnXp = Schema.Struct(fields).annotate({ identifier: "OwnXp" })
export type OwnXp = typeof OwnXp.Type

/** The position at which a page of the ledger of a user ends. */
export const XpCursor = makeCursor("created_at")
export type XpPosition = typeof XpCursor.Type

/** The XP of a user with the newest entries of the ledger, as developers see it [G2.4]. */
export const UserXp = Schema.Struct({
  ...fields,
  entries: Schema.Array(XpEntryView),
  /** Where the entries after these begin; only where a cursor was given. */
  next_cursor: Schema.optionalKey(Schema.NullOr(XpCursor)),
}).annotate({ identifier: "UserXp" })
export type UserXp = typeof UserXp.Type

/** What an award by hand has come to [G2.4]. */
export const XpAwarded = Schema.Struct({
  total: XpTotal.fields.total,
  /** What was given or, below 0, taken, after the cut at 0. */
  awarded: Whole,
}).annotate({ identifier: "XpAwarded" })

/** The XP of a user; 0 where there is none. */
export const readXp = Effect.fnUntraced(function* (db: XpDb, userId: string) {
  const { total } = yield* db.xpTotals.find(userId)
  return { total, ...findLevels(yield* db.xpLevels.list(), total) } satisfies OwnXp
})
