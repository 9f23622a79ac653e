import { Effect } from "effect"
import { type BatchNotes, batchNote } from "../background/batch-notes.ts"
import type { EventHead, Reaction } from "../background/reaction.ts"
import { readAhead } from "../background/read-ahead.ts"
import type { Ports } from "../ports/ports.ts"
import type { UserFacts } from "../segments/facts.ts"
import { matches } from "../segments/matches.ts"
import type { SegmentsDb } from "../segments/port.ts"
import { settleStreaks } from "../segments/read-user-facts.ts"
import type { StreaksDb } from "../streaks/port.ts"
import { together } from "../together.ts"
import { xpEntriesNote, xpTotalsNote } from "../xp/entry.ts"
import { type Achievement, unlocksNote } from "./achievement.ts"
import { type Criteria, makeCriteriaReader } from "./criteria.ts"
import { makeUnlock, type UnlockDb } from "./unlock.ts"

/** An achievement that can be unlocked. */
interface Readable {
  readonly achievement: Achievement
  readonly criteria: Criteria
}

const readableNote = batchNote<ReadonlyArray<Readable>>("achievements.readable")

/** The achievements that events of a name may unlock, and those that any may. */
const groupByEvent = (readable: ReadonlyArray<Readable>) => {
  const onAny = readable.filter(({ criteria }) => criteria.events.size === 0)
  const byName = new Map<string, Array<Readable>>()
  for (const each of readable) {
    for (const name of each.criteria.events) {
      const others = byName.get(name)
      if (others === undefined) byName.set(name, [each])
      else others.push(each)
    }
  }
  return { onAny, byName }
}

/** The achievements that are to be considered for each user: by the names of the user's events, or any [G1.2]. */
const findConsidered = (readable: ReadonlyArray<Readable>, events: ReadonlyArray<EventHead>) => {
  const { onAny, byName } = groupByEvent(readable)
  const considered = new Map<string, Set<Readable>>()
  for (const { app_user_id, event_name } of events) {
    const own = considered.get(app_user_id) ?? new Set(onAny)
    considered.set(app_user_id, own)
    for (const each of byName.get(event_name) ?? []) own.add(each)
  }
  return considered
}

/** Those whose criteria a user fits now, also because of others among them. */
const findUnlocks = (considered: ReadonlyArray<Readable>, facts: UserFacts, now: Date): ReadonlyArray<Readable> => {
  const found: Array<Readable> = []
  let left = considered
  let known = facts
  for (;;) {
    const next = left.filter(({ criteria }) => matches(criteria.rules, known, now))
    if (next.length === 0) return found
    found.push(...next)
    left = left.filter((each) => !next.includes(each))
    if (!left.some(({ criteria }) => criteria.dependsOnUnlocks)) return found
    known = { ...known, achievements: new Set([...known.achievements, ...next.map((each) => each.achievement.key)]) }
  }
}

/** When each user's last event occurred: a streak that has ended since was there, one that ended before is not, swept or not [E2]. */
const findMoments = (events: ReadonlyArray<EventHead>, now: Date): ReadonlyMap<string, Date> => {
  const moments = new Map<string, Date>()
  for (const { app_user_id, occurred_at } of events) {
    const last = moments.get(app_user_id)
    if (last === undefined || last < occurred_at) moments.set(app_user_id, occurred_at < now ? occurred_at : now)
  }
  return moments
}

const activeAchievements = readAhead("achievements.active", (db: UnlockDb) =>
  db.achievements.list({ is_active: true }, []),
)

// Nobody else unlocks anything, or takes it back, while the project is held.
const closedPairs = readAhead("achievements.closed", (db: UnlockDb, events) =>
  db.userAchievements.listClosed([...new Set(events.map(({ app_user_id }) => app_user_id))]),
)

// Of more events their users' pairs are read when the batch was cut, if it had to be.
const fewEvents = 100

const formatPair = (userId: string, achievementId: string) => `${userId}/${achievementId}`

/**
 * Unlocks the achievements whose criteria users fit after a batch of their events [G1.2], with the same number of statements for
 * any number of users, events and achievements.
 */
export const makeAchievementsReaction = (
  ports: Pick<Ports, "clock" | "ids">,
): Reaction<SegmentsDb & StreaksDb & UnlockDb> => {
  const readCriteria = makeCriteriaReader()
  const unlock = makeUnlock(ports)
  const readAll = Effect.fnUntraced(function* (
    db: UnlockDb,
    events: ReadonlyArray<EventHead>,
    notes: BatchNotes,
  ): Effect.fn.Return<ReadonlyArray<Readable>> {
    const [noted] = notes.read(readableNote)
    if (noted !== undefined) return noted
    const readable = (yield* activeAchievements.read(db, events, notes)).flatMap((achievement) => {
      const criteria = readCriteria(achievement)
      return criteria === null ? [] : [{ achievement, criteria }]
    })
    notes.add(readableNote, [readable])
    return readable
  })
  return {
    name: "achievements",
    prepare: (db, events, notes) =>
      Effect.asVoid(
        together([
          activeAchievements.prepare(db, events, notes),
          events.length > fewEvents ? Effect.void : closedPairs.prepare(db, events, notes),
        ]),
      ),
    weigh: Effect.fnUntraced(function* (db, events, notes) {
      const readable = yield* readAll(db, events, notes)
      const { onAny, byName } = groupByEvent(readable)
      // Where any is considered, all that its user has are read.
      return ({ event_name }) => {
        const considered = onAny.length + (byName.get(event_name)?.length ?? 0)
        return considered === 0 ? 0 : considered + readable.length
      }
    }),
    react: Effect.fnUntraced(function* (db, events, notes) {
      const readable = yield* readAll(db, events, notes)
      const considered = findConsidered(readable, events)
      const userIds = [...considered].flatMap(([userId, own]) => (own.size === 0 ? [] : [userId]))
      if (userIds.length === 0) return []
      const closed = new Set(
        (yield* closedPairs.read(db, events, notes)).map((key) => formatPair(key.app_user_id, key.achievement_id)),
      )
      const open = new Map<string, ReadonlyArray<Readable>>()
      for (const user_id of userIds) {
        const own = [...(considered.get(user_id) ?? [])].filter(
          ({ achievement }) => !closed.has(formatPair(user_id, achievement.id)),
        )
        if (own.length > 0) open.set(user_id, own)
      }
      if (open.size === 0) return []
      const now = ports.clock.now()
      const wanted = [...open].map(([user_id, own]) => ({ user_id, rules: own.map(({ criteria }) => criteria.rules) }))
      const found = yield* db.ruleFacts.read(wanted, now)
      const asksForStreaks = [...open.values()].flat().some(({ criteria }) => criteria.dependsOnStreaks)
      const facts = asksForStreaks ? yield* settleStreaks(db, found, now, findMoments(events, now)) : found
      const fitting = facts.flatMap((each) =>
        findUnlocks(open.get(each.user.id) ?? [], each, now).map(({ achievement }) => ({
          app_user_id: each.user.id,
          achievement,
        })),
      )
      const unlocked = yield* unlock(db, fitting, { isRanked: true })
      notes.add(unlocksNote, unlocked.unlocks)
      notes.add(xpEntriesNote, unlocked.entries)
      notes.add(xpTotalsNote, unlocked.totals)
      return unlocked.events
    }),
  }
}
