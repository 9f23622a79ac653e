import { Effect, Schema, Struct } from "effect"
import { Day, Uuid } from "../schema.ts"
import { dayKey, firstDayOf, periodAt, periodIndex, periodKey } from "../time/periods.ts"
import type { UserRow } from "../users/user.ts"
import { StreakDefinition } from "./definition.ts"
import type { StreaksDb } from "./port.ts"
import type { StreakPeriodRow } from "./streak-rows.ts"
import { firstOpenPeriod } from "./timing.ts"
import { bringUpToDate, rebuildFields, UserStreak } from "./user-streak.ts"

/** How many periods the user's own view shows [D]. */
export const shownPeriods = 30

/** One period of a streak: done by an event, covered by a freeze, missed, or still open. */
export const StreakPeriodView = Schema.Struct({
  period_start: Day,
  /** The last day of the period. */
  period_end: Day,
  status: Schema.Literals(["done", "frozen", "missed", "open"]),
}).annotate({ identifier: "StreakPeriod" })

/** A user's streak in answers (spec: user streak). */
export const UserStreakView = Schema.Struct(
  Struct.omit(UserStreak.fields, ["last_period", "settled_period", "last_event_at", ...rebuildFields]),
).annotate({ identifier: "UserStreak" })

/** A user's own streak, with its definition and up to 30 of the last periods since it began, newest first [D]. */
export const OwnStreak = Schema.Struct({
  ...UserStreakView.fields,
  /** Null until the first qualifying event has been counted. */
  id: Schema.NullOr(Uuid),
  definition: StreakDefinition,
  periods: Schema.Array(StreakPeriodView),
}).annotate({ identifier: "OwnStreak" })

/** A streak as it is now, and the periods that used a freeze since it was stored. */
export interface StreakNow {
  readonly definition: StreakDefinition
  readonly streak: UserStreak
  readonly frozen: ReadonlyArray<number>
}

type Owner = Pick<UserRow, "id" | "timezone">

/** A user whose streaks are read, as they are at `at` where that is given. */
type OwnerAt = Owner & { readonly at?: Date }

/**
 * The streaks as they are at `now` by user, each list with the oldest definition first. Users without streaks are left out.
 * Two statements for any number of users. Nothing is written.
 */
export const readStreaksByUser = Effect.fnUntraced(function* (db: StreaksDb, users: ReadonlyArray<OwnerAt>, now: Date) {
  const found = new Map<string, Array<StreakNow>>()
  const stored = users.length === 0 ? [] : yield* db.userStreaks.ofUsers(users.map(({ id }) => id))
  if (stored.length === 0) return found
  const definitions = yield* db.streakDefinitions.list({}, [["created_at", "asc"]])
  const byKey = new Map(stored.map((streak) => [`${streak.app_user_id} ${streak.streak_definition_id}`, streak]))
  const owners = new Set(stored.map((streak) => streak.app_user_id))
  for (const { id, timezone, at = now } of users) {
    if (!owners.has(id) || found.has(id)) continue
    const streaks = definitions.flatMap((definition): ReadonlyArray<StreakNow> => {
      const streak = byKey.get(`${id} ${definition.id}`)
      return streak === undefined ? [] : [{ definition, ...bringUpToDate(definition, streak, timezone, at) }]
    })
    found.set(id, streaks)
  }
  return found
})

/** The streaks of one user, in the same way. */
export const readStreaks = (db: StreaksDb, user: Owner, now: Date) =>
  Effect.map(readStreaksByUser(db, [user], now), (found): ReadonlyArray<StreakNow> => found.get(user.id) ?? [])

const makePeriodView = (
  definition: StreakDefinition,
  index: number,
  status: (typeof StreakPeriodView.Type)["status"],
) => ({
  period_start: periodKey(definition.period, index),
  period_end: dayKey(firstDayOf(definition.period, index + 1) - 1),
  status,
})

/** The last 30 periods of a streak up to the current one, newest first, from its beginning on. */
export const periodViews = (
  { definition, streak, frozen }: StreakNow,
  rows: ReadonlyArray<StreakPeriodRow>,
  zone: string | null,
  now: Date,
): ReadonlyArray<typeof StreakPeriodView.Type> => {
  const kinds = new Map<number, "done" | "frozen">(frozen.map((index) => [index, "frozen"]))
  for (const row of rows) {
    if (row.streak_definition_id !== streak.streak_definition_id) continue
    kinds.set(periodIndex(definition.period, row.period_key), row.kind === "done" ? "done" : "frozen")
  }
  if (kinds.size === 0) return []
  const present = Math.max(periodAt(definition.period, now, zone), ...kinds.keys())
  const first = Math.max(Math.min(...kinds.keys()), present - shownPeriods + 1)
  // An event of now cannot count for a settled period, even while its grace lasts.
  const settled = streak.settled_period === null ? null : periodIndex(definition.period, streak.settled_period)
  const open = Math.max(firstOpenPeriod(definition, now, zone), settled === null ? first : settled + 1)
  return Array.from({ length: Math.max(0, present - first + 1) }, (_, back) => {
    const index = present - back
    return makePeriodView(definition, index, kinds.get(index) ?? (index >= open ? "open" : "missed"))
  })
}

/** The streaks of a user as that user is shown them. `rows` are the periods of all: each is looked at for its own streak alone. */
export const showOwnStreaks = (
  streaks: ReadonlyArray<StreakNow>,
  rows: ReadonlyArray<StreakPeriodRow>,
  zone: string | null,
  now: Date,
) => {
  const byDefinition = Map.groupBy(rows, ({ streak_definition_id }) => streak_definition_id)
  return streaks.map((each) => ({
    ...each.streak,
    definition: each.definition,
    periods: periodViews(each, byDefinition.get(each.definition.id) ?? [], zone, now),
  }))
}
