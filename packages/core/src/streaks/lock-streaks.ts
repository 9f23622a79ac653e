import { Effect } from "effect"
import { together } from "../together.ts"
import type { UsersDb } from "../users/port.ts"
import type { StreakDefinition } from "./definition.ts"
import type { StreaksDb } from "./port.ts"
import type { StreakKey } from "./streak-rows.ts"
import type { UserStreak } from "./user-streak.ts"

/** The name of a streak in maps. */
export const formatKey = (key: StreakKey): string => `${key.streak_definition_id}/${key.app_user_id}`

/** A streak that is locked, with what it is counted by. */
export interface LockedStreak {
  readonly definition: StreakDefinition
  readonly streak: UserStreak
  /** The zone of its user; null is UTC. */
  readonly zone: string | null
}

/** What of some keys exists, locked until the transaction ends. */
export interface LockedKeys {
  /** The zones of the users that exist, as they stay until the transaction ends. */
  readonly zones: ReadonlyMap<string, string | null>
  readonly definitions: ReadonlyMap<string, StreakDefinition>
  /** By `formatKey`. A user who has not begun has none. */
  readonly streaks: ReadonlyMap<string, LockedStreak>
}

/**
 * Locks users, then definitions against removal, then streaks, each kind in one order [ARCHITECTURE, Locks]. Zones and rules
 * are read under the locks. Users and definitions that are gone are left out.
 */
export const lockStreaks = Effect.fnUntraced(function* (db: StreaksDb & UsersDb, keys: ReadonlyArray<StreakKey>) {
  const [zones, rows, locked] = yield* together([
    db.users.lockZones([...new Set(keys.map((key) => key.app_user_id))]),
    db.streakDefinitions.lockMany([...new Set(keys.map((key) => key.streak_definition_id))]),
    db.userStreaks.lockMany(keys),
  ])
  const definitions = new Map(rows.map((definition) => [definition.id, definition]))
  const streaks = new Map(
    locked.flatMap((streak): ReadonlyArray<[string, LockedStreak]> => {
      const definition = definitions.get(streak.streak_definition_id)
      const zone = zones.get(streak.app_user_id) ?? null
      return definition === undefined ? [] : [[formatKey(streak), { definition, streak, zone }]]
    }),
  )
  return { zones, definitions, streaks } satisfies LockedKeys
})
