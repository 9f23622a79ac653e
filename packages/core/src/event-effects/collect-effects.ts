import { Effect } from "effect"
import { unlocksNote } from "../achievements/achievement.ts"
import type { BatchNotes } from "../background/batch-notes.ts"
import type { EventHead, Reaction } from "../background/reaction.ts"
import { streakChangesNote } from "../streaks/streak-changes.ts"
import { findLevels } from "../xp/apply-awards.ts"
import { xpEntriesNote } from "../xp/entry.ts"
import type { XpDb } from "../xp/port.ts"
import type { EventEffects } from "./effects.ts"
import type { EventEffectsDb } from "./port.ts"

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

/**
 * Puts together what events did, of those that somebody asks about [G9.1]. It is the last reaction: it reads the notes of all
 * others. A few statements for any number of events.
 */
export const collectEffects: Reaction<CollectDb> = {
  name: "event-effects",
  react: Effect.fnUntraced(function* (db, events, notes) {
    const asked = new Set(yield* db.eventEffects.listAsked(events.map(({ id }) => id)))
    if (asked.size === 0) return []
    const heads = events.filter(({ id }) => asked.has(id))
    const totals = yield* db.xpTotals.findMany([...new Set(heads.map(({ app_user_id }) => app_user_id))])
    const levels = yield* db.xpLevels.list()
    const kept = heads.map((event) => {
      const { streaks, achievements, awarded } = describeEffects(event, notes)
      const total = totals.get(event.app_user_id)?.total ?? 0
      const { level } = findLevels(levels, total)
      const effects: EventEffects = { streaks, achievements, xp: { awarded, total, level }, leaderboards: [] }
      return { event_id: event.id, effects }
    })
    yield* db.eventEffects.keep(kept)
    return []
  }),
}
