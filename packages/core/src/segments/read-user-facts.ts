import { Effect, Option } from "effect"
import type { StreaksDb } from "../streaks/port.ts"
import { readStreaksByUser } from "../streaks/views.ts"
import type { UserFacts } from "./facts.ts"
import type { SegmentsDb } from "./port.ts"
import { mentionsStreaks, type RuleGroup } from "./rules.ts"

/**
 * These facts with streaks as they are at `now`, or for users of `moments` at that instant, whatever is stored. Two statements for any
 * number of users.
 */
export const settleStreaks = Effect.fnUntraced(function* (
  db: StreaksDb,
  facts: ReadonlyArray<UserFacts>,
  now: Date,
  moments: ReadonlyMap<string, Date> = new Map(),
) {
  const owners = facts.map(({ user }) => ({ ...user, at: moments.get(user.id) ?? now }))
  const streaks = yield* readStreaksByUser(db, owners, now)
  return facts.map((each): UserFacts => {
    const own = streaks.get(each.user.id) ?? []
    return { ...each, streaks: new Map(own.map(({ definition, streak }) => [definition.id, streak.current_count])) }
  })
})

/** What these rules read about one user, with streaks as they are at `now`, whatever is stored. None for an unknown user. */
export const readUserFacts = Effect.fnUntraced(function* (
  db: Pick<SegmentsDb, "ruleFacts"> & StreaksDb,
  userId: string,
  rules: ReadonlyArray<RuleGroup>,
  now: Date,
) {
  const found = yield* db.ruleFacts.read([{ user_id: userId, rules }], now)
  const [facts] = rules.some(mentionsStreaks) ? yield* settleStreaks(db, found, now) : found
  return Option.fromUndefinedOr(facts)
})
