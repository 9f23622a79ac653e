import { Effect } from "effect"
import type { UserRow } from "../users/user.ts"
import type { StreaksDb } from "./port.ts"
import { bringUpToDate, frozenPeriods, readRun, withRun } from "./user-streak.ts"

/**
 * Moves the deadlines of a user's streaks to another zone. Periods that were missed in the old zone stay missed, and stored
 * periods do not change [E2].
 */
export const rezone = Effect.fnUntraced(function* (
  db: StreaksDb,
  user: Pick<UserRow, "id" | "timezone">,
  zone: string | null,
  now: Date,
) {
  const definitions = yield* db.streakDefinitions.list({}, [])
  const streaks = yield* db.userStreaks.lockMany(
    definitions.map(({ id }) => ({ app_user_id: user.id, streak_definition_id: id })),
  )
  const updated = streaks.flatMap((stored) => {
    const definition = definitions.find(({ id }) => id === stored.streak_definition_id)
    return definition === undefined ? [] : [{ definition, ...bringUpToDate(definition, stored, user.timezone, now) }]
  })
  yield* db.userStreaks.save(
    updated.map(({ definition, streak }) => withRun(definition, streak, readRun(definition, streak), zone, now)),
  )
  yield* db.userStreaks.addPeriods(
    updated.flatMap(({ definition, streak, frozen }) => frozenPeriods(definition, streak, frozen, now)),
  )
})
