import { Schema, Struct } from "effect"
import { batchNote } from "../background/batch-notes.ts"
import { columnKind } from "../columns.ts"
import { Day, Text, Timestamp, text, Uuid, Whole } from "../schema.ts"

/** The most XP of one award or deduction [G2.3]. */
export const maxXpAmount = 1_000_000_000

/** The most XP of a user: the greatest number that is exact as a JSON number. What is over it is cut. */
export const maxXpTotal = Number.MAX_SAFE_INTEGER

/** What XP was given for [G2.3]. */
export const XpSource = Schema.Literals(["event", "achievement", "admin", "reward"])
export type XpSource = typeof XpSource.Type

/**
 * A row of the ledger: XP that a user was given, or that was taken (below 0). The sum of a user's rows is their total. Unique:
 * `cause_key` [G2.3].
 */
export const XpEntry = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  amount: Whole.check(Schema.isBetween({ minimum: -maxXpAmount, maximum: maxXpAmount })),
  source: XpSource,
  /** The event, the achievement or the reward's cause; of an award by hand its reason, null without one. */
  reference_id: Schema.NullOr(Text),
  /** Identifies what caused the award, so that it is given once: `<feature>/<cause>`, for example `events/<event id>`. */
  cause_key: text(1, 500),
  /** When the cause occurred: the window of leaderboards that it counts for. */
  occurred_at: Timestamp,
  created_at: Timestamp,
  /** Whether leaderboards know of it. */
  is_ranked: Schema.Boolean,
})
export type XpEntry = typeof XpEntry.Type

/** A whole number of XP, up to the greatest that is exact. A float of 64 bits holds it without loss. */
const XpSum = Schema.Int.annotate(columnKind("amount")).check(Schema.isGreaterThanOrEqualTo(0))

/** The XP of a user. One who never had an entry has none, or one with 0. */
export const XpTotal = Schema.Struct({
  app_user_id: Uuid,
  /** The sum of the entries, never below 0 [G2.3]. */
  total: XpSum,
  /** The greatest that `total` has ever been: levels up to it were told [G2.3]. */
  highest_total: XpSum,
})
export type XpTotal = typeof XpTotal.Type

/** What a user was given for the events of one name on one day: what a daily cap counts [G2.1]. */
export const XpDay = Schema.Struct({
  app_user_id: Uuid,
  event_name: Text,
  /** Of `occurred_at`, in UTC. */
  day: Day,
  amount: XpSum,
})
export type XpDay = typeof XpDay.Type

/** The XP of events of one name of a user on one day. */
export type XpDayKey = Pick<XpDay, "app_user_id" | "event_name" | "day">

/** An award or, below 0, a deduction. An award whose `cause_key` is in the ledger is passed over. */
export type XpAward = Omit<XpEntry, "id" | "created_at" | "is_ranked">

/** The entries that reactions wrote for a batch. Whoever writes ranked entries notes them, so that boards count them. */
export const xpEntriesNote = batchNote<XpEntry>("xp.entries")

/** The totals that a batch has locked, again where it has changed them: the last of a user counts. */
export const xpTotalsNote = batchNote<XpTotal>("xp.totals")

/** An entry as developers see it [G2.4]. */
export const XpEntryView = Schema.Struct(
  Struct.pick(XpEntry.fields, ["id", "amount", "source", "reference_id", "created_at"]),
).annotate({ identifier: "XpEntry" })
