import { Effect, Option } from "effect"
import type { StreaksDb } from "../streaks/port.ts"
import { readStreaks } from "../streaks/views.ts"
import type { UserFacts } from "./facts.ts"
import type { SegmentsDb } from "./port.ts"
import { mentionsStreaks, type RuleGroup } from "./rules.ts"

/** What these rules read about one user, with streaks as they are at `now`, whatever is stored. None for an unknown user. */
export const readUserFacts = Effect.fnUntraced(function* (
  db: Pick<SegmentsDb, "ruleFacts"> & StreaksDb,
  userId: string,
  rules: ReadonlyArray<RuleGroup>,
  now: Date,
) {
  const [facts] = yield* db.ruleFacts.read([{ user_id: userId, rules }], now)
  if (facts === undefined || !rules.some(mentionsStreaks)) return Option.fromUndefinedOr(facts)
  const streaks = yield* readStreaks(db, facts.user, now)
  const counts = streaks.map(({ definition, streak }) => [definition.id, streak.current_count] as const)
  return Option.some<UserFacts>({ ...facts, streaks: new Map(counts) })
})
