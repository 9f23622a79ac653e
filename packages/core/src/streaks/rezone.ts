import { Effect } from "effect"
import type { TenantDb } from "../ports/tenants.ts"
import { runOf, withRun } from "./user-streak.ts"

/** Moves the deadlines of a user's streaks to another zone. Periods that are stored stay as they are [E2]. */
export const rezone = Effect.fnUntraced(function* (db: TenantDb, userId: string, zone: string | null, now: Date) {
  const definitions = yield* db.streakDefinitions.list({}, [])
  const streaks = yield* db.userStreaks.lock(
    definitions.map(({ id }) => ({ app_user_id: userId, streak_definition_id: id })),
  )
  yield* db.userStreaks.save(
    streaks.flatMap((streak) => {
      const definition = definitions.find(({ id }) => id === streak.streak_definition_id)
      return definition === undefined ? [] : [withRun(definition, streak, runOf(definition, streak), zone, now)]
    }),
  )
})
