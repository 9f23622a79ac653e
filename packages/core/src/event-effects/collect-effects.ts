import { Effect } from "effect"
import { unlocksNote } from "../achievements/achievement.ts"
import { type BatchNotes, batchNote } from "../background/batch-notes.ts"
import type { EventHead, Reaction } from "../background/reaction.ts"
import { readAhead } from "../background/read-ahead.ts"
import { standingsAskedNote, standingsNote } from "../leaderboards/reaction.ts"
import type { Ports } from "../ports/ports.ts"
import { streakChangesNote } from "../streaks/streak-changes.ts"
import { findLevels } from "../xp/apply-awards.ts"
import { xpEntriesNote, xpTotalsNote } from "../xp/entry.ts"
import type { XpDb } from "../xp/port.ts"
import { xpLevelsNote } from "../xp/rule.ts"
import type { EventEffects } from "./effects.ts"
import type { EventEffectsDb, KeptEffects } from "./port.ts"

/** The ids of events that the caller of the reactions asks about. They are not noted yet, so nobody has to look for them. */
export const askedNote = batchNote<string>("event-effects.asked")

/** What events did, of those that the caller asks about. */
export const effectsNote = batchNote<KeptEffects>("event-effects.kept")

type CollectDb = EventEffectsDb & XpDb

/** What the notes of a batch say about one event: its streaks, what its user has unlocked, and the XP for both. */
const describeEffects = (event: EventHead, notes: BatchNotes) => {
  const isOwn = ({ app_user_id }: { readonly app_user_id: string }) => app_user_id === event.app_user_id
  const streaks = notes
    .read(streakChangesNote)
    .filter((change) => isOwn(change) && change.qualifying_event === event.event_name)
    .map(({ streak_definition_id, before, after, status, freezes_used }) => {
      return { streak_definition_id, before, after, status, freezes_used }
    })
  const unlocks = notes.read(unlocksNote).filter(isOwn)
  const unlocked = new Set(unlocks.map(({ achievement_id }) => achievement_id))
  const awarded = notes
    .read(xpEntriesNote)
    .filter(isOwn)
    .filter(
      ({ source, reference_id }) =>
        (source === "event" && reference_id === event.id) ||
        (source === "achievement" && reference_id !== null && unlocked.has(reference_id)),
    )
    .reduce((sum, { amount }) => sum + amount, 0)
  const achievements = unlocks.map(({ achievement_id, key }) => ({ achievement_id, key }))
  return { streaks, achievements, awarded }
}

/** The totals of users and the levels, from the notes of the batch as far as these have them. */
const readXp = Effect.fnUntraced(function* (db: XpDb, userIds: ReadonlySet<string>, notes: BatchNotes) {
  const noted = new Map(notes.read(xpTotalsNote).map((total) => [total.app_user_id, total]))
  const others = [...userIds].filter((id) => !noted.has(id))
  const found = others.length === 0 ? [] : yield* db.xpTotals.findMany(others)
  const [levels = yield* db.xpLevels.list()] = notes.read(xpLevelsNote)
  return { totals: new Map([...noted, ...found]), levels }
})

/** Those of the events that others than the caller ask about. */
const waiting = readAhead("event-effects.waiting", (db: CollectDb, events) =>
  db.eventEffects.listAsked(events.map(({ id }) => id)),
)

/** Those of the events that somebody asks about. */
const findAsked = Effect.fnUntraced(function* (db: CollectDb, events: ReadonlyArray<EventHead>, notes: BatchNotes) {
  const byCaller = notes.read(askedNote)
  const asked = new Set(byCaller.length > 0 ? byCaller : yield* waiting.read(db, events, notes))
  return events.filter(({ id }) => asked.has(id))
})

/**
 * Puts together what events did, of those that somebody asks about [G9.1]. It is the last reaction: it reads the notes of all
 * others. A few statements for any number of events.
 */
export const makeCollectEffects = ({ clock }: Pick<Ports, "clock">): Reaction<CollectDb> => ({
  name: "event-effects",
  prepare: Effect.fnUntraced(function* (db, events, notes) {
    if (notes.read(askedNote).length === 0) yield* waiting.prepare(db, events, notes)
    const heads = yield* findAsked(db, events, notes)
    notes.add(
      standingsAskedNote,
      heads.map(({ app_user_id }) => app_user_id),
    )
  }),
  react: Effect.fnUntraced(function* (db, events, notes) {
    const heads = yield* findAsked(db, events, notes)
    if (heads.length === 0) return []
    const { totals, levels } = yield* readXp(db, new Set(heads.map(({ app_user_id }) => app_user_id)), notes)
    const standings = Map.groupBy(notes.read(standingsNote), ({ app_user_id }) => app_user_id)
    const kept = heads.map((event) => {
      const { streaks, achievements, awarded } = describeEffects(event, notes)
      const total = totals.get(event.app_user_id)?.total ?? 0
      const { level } = findLevels(levels, total)
      const leaderboards = (standings.get(event.app_user_id) ?? []).map(({ leaderboard_id, score, rank }) => {
        return { leaderboard_id, score, rank }
      })
      const effects: EventEffects = { streaks, achievements, xp: { awarded, total, level }, leaderboards }
      return { event_id: event.id, effects }
    })
    if (notes.read(askedNote).length === 0) yield* db.eventEffects.keep(kept)
    else {
      yield* db.eventEffects.add(kept, clock.now())
      notes.add(effectsNote, kept)
    }
    return []
  }),
})
