import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { PlatformEvent } from "../events/event.ts"
import type { Ports } from "../ports/ports.ts"
import { together } from "../together.ts"
import { type AppliedAward, applyAwards } from "./apply-awards.ts"
import type { XpAward, XpEntry, XpTotal } from "./entry.ts"
import type { XpDb } from "./port.ts"
import type { XpLevel } from "./rule.ts"

/** The outbox topic whose handler puts entries on leaderboards that no reaction has told of. */
export const rankXpTopic = "leaderboards.xp"

/** What awards have led to: the entries in the order of the awards, and the platform events that they cause. */
export interface AwardedXp {
  readonly entries: ReadonlyArray<XpEntry>
  /** The totals that they have changed, as of after them. */
  readonly totals: ReadonlyArray<XpTotal>
  readonly events: ReadonlyArray<PlatformEvent>
}

/** How awards are written. */
export interface AwardOptions {
  /** Whether the caller is a reaction to events, which adds the entries to `xpEntriesNote`; otherwise leaderboards are asked by the outbox. */
  readonly isRanked: boolean
}

const describeEvents = (entry: XpEntry, { total, levels }: AppliedAward): ReadonlyArray<PlatformEvent> => {
  // A deduction is silent [G2.3].
  if (entry.amount < 0) return []
  const { app_user_id, amount, source, reference_id } = entry
  const occurred_at = source === "event" ? entry.occurred_at : entry.created_at
  return [
    {
      ...{ app_user_id, occurred_at, event_name: "xp_awarded" },
      properties: { amount, source, reference_id, total },
      cause_key: `xp/${entry.id}/xp_awarded`,
    },
    ...levels.map(({ name, xp_required }) => ({
      // Now, whenever the XP is from: a total is no earlier than its last award.
      ...{ app_user_id, occurred_at: entry.created_at, event_name: "level_reached" },
      properties: { name, xp_required },
      // The greatest total never falls, so a user passes each number once.
      cause_key: `xp/${app_user_id}/${xp_required}/level_reached`,
    })),
  ]
}

const nothing: AwardedXp = { entries: [], totals: [], events: [] }

/** Those of the awards whose cause is not in the ledger, each cause once. The caller has locked the totals of their users. */
export const findNewAwards = <Award extends Pick<XpAward, "cause_key">>(db: XpDb, awards: ReadonlyArray<Award>) =>
  Effect.map(db.xpEntries.findCauses(awards.map(({ cause_key }) => cause_key)), (known) => {
    const seen = new Set(known)
    return awards.filter(({ cause_key }) => !seen.has(cause_key) && seen.add(cause_key))
  })

/** What awards are counted by: the totals of their users, which are locked, and the levels of the project. */
export interface XpStand {
  readonly locked: ReadonlyMap<string, XpTotal>
  readonly levels: ReadonlyArray<XpLevel>
}

/** Writes new awards in their order. */
export const makeWriteAwards = ({ clock, ids }: Pick<Ports, "clock" | "ids">) =>
  Effect.fnUntraced(function* (
    db: BackgroundDb & XpDb,
    { locked, levels }: XpStand,
    awards: ReadonlyArray<XpAward>,
    { isRanked }: AwardOptions,
  ) {
    if (awards.length === 0) return nothing
    const { applied, totals } = applyAwards(locked, levels, awards)
    if (applied.length === 0) return nothing
    const created_at = clock.now()
    const entries = applied.map(
      ({ award, amount }): XpEntry => ({ ...award, id: ids.uuid(), amount, created_at, is_ranked: isRanked }),
    )
    yield* db.xpEntries.insertMany(entries)
    yield* db.xpTotals.save(totals)
    if (!isRanked) yield* db.outbox.add(rankXpTopic, {})
    const events = applied.flatMap((each, at) => {
      const entry = entries[at]
      return entry === undefined ? [] : describeEvents(entry, each)
    })
    return { entries, totals, events } satisfies AwardedXp
  })

/**
 * Writes awards to the ledger, in a fixed number of statements for any number of users [G2.3]. Awards whose cause is known, or
 * whose user is gone, are passed over; deductions are cut at 0, and leave no entry where nothing is left of them. Locks the
 * users against removal, then their totals: the caller has no lock yet that comes after these [G0.5]. The caller answers
 * `events` from its reaction, or writes them with `db.events.insertCaused`. A cause belongs to one user.
 */
export const makeAwardXp = (ports: Pick<Ports, "clock" | "ids">) => {
  const writeAwards = makeWriteAwards(ports)
  return Effect.fnUntraced(function* (db: BackgroundDb & XpDb, awards: ReadonlyArray<XpAward>, options: AwardOptions) {
    if (awards.length === 0) return nothing
    const locked = yield* db.xpTotals.lockMany([...new Set(awards.map((award) => award.app_user_id))])
    const [fresh, levels] = yield* together([findNewAwards(db, awards), db.xpLevels.list()])
    return yield* writeAwards(db, { locked, levels }, fresh, options)
  })
}

/** Writes awards to the ledger. */
export type AwardXp = ReturnType<typeof makeAwardXp>
