import { dayKey, dayOfKey } from "@hearth/core"
import type { NewStreakDefinition } from "@hearth/core/streaks"
import { aStreakDefinition, type TestWorldOptions, testWorld } from "@hearth/testing"
import { Effect } from "effect"

const { id: _id, created_at: _createdAt, ...plain } = aStreakDefinition({ qualifying_event: "lesson" })

/** A daily streak of `lesson` without freezes, with `rules` over these defaults. */
export const aStreakOf = (rules: Partial<NewStreakDefinition> = {}): NewStreakDefinition => ({ ...plain, ...rules })

/** The days from `first` on. */
export const days = (first: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, day) => dayKey(dayOfKey(first) + day))

/** Further options of a world with one streak. */
export interface StreakWorldOptions extends TestWorldOptions {
  readonly timezone?: string
}

/** A project with one streak and one user. It is noon of 1 March 2026, a Sunday, unless `startAt` says otherwise. */
export const streakWorld = async (
  rules: Partial<NewStreakDefinition> = {},
  { timezone, ...options }: StreakWorldOptions = {},
) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId, timezone === undefined ? {} : { timezone })
  const definition = await world.run(world.core.streaks.create(projectId, aStreakOf(rules)))
  const { streaks, events, users } = world.core

  /** The user's own view of the streak. Throws when there is none. */
  const own = async () => {
    const [streak] = await world.run(streaks.own(projectId, userId))
    if (streak === undefined) throw new Error("The user has not begun the streak.")
    return streak
  }
  return {
    world,
    projectId,
    userId,
    definition,
    own,
    /** Status, count and freezes, as the user sees them now. */
    shown: async () => {
      const { status, current_count, freezes_remaining } = await own()
      return `${status} ${current_count} (${freezes_remaining})`
    },
    /** The status of each period shown, oldest first: `x` done, `f` frozen, `.` missed, `?` open. */
    history: async () => {
      const marks = { done: "x", frozen: "f", missed: ".", open: "?" }
      return (await own()).periods
        .map(({ status }) => marks[status])
        .toReversed()
        .join("")
    },
    /** The row as it is stored, whatever time it is; null before the first. */
    stored: async () => {
      const [row] = await world.run(
        world.tenants.read(projectId, (db) => db.userStreaks.list({ app_user_id: userId }, [])),
      )
      return row ?? null
    },
    qualify: (event_id?: string) =>
      world.run(streaks.qualify(projectId, userId, definition.id, event_id === undefined ? {} : { event_id })),
    /** Ingests a lesson at each of these instants (a day is its noon) in one batch, and handles it. */
    lessons: async (...instants: ReadonlyArray<string>) => {
      const batch = instants.map((at) => ({
        app_user_id: userId,
        event_name: "lesson",
        occurred_at: at.length === 10 ? `${at}T12:00:00Z` : at,
      }))
      await world.run(events.record(projectId, { events: batch }))
      await world.run(world.core.background.process(projectId))
    },
    /** Runs the pending background work. */
    runPending: () => world.runPending(),
    moveTo: (zone: string | null) => world.run(users.update(projectId, userId, { timezone: zone })),
    grant: (count?: unknown) => world.run(streaks.grantShield(projectId, userId, definition.id, count)),
    update: (changes: Parameters<typeof streaks.update>[2]) =>
      world.run(streaks.update(projectId, definition.id, changes)),
    refusedGrant: (user: string, streak: string, count?: unknown) =>
      world.run(Effect.flip(streaks.grantShield(projectId, user, streak, count))),
  }
}
