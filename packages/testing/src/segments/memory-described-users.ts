import { eventSpan, matches, type RuleGroup, type UserFacts } from "@hearth/core/segments"
import type { UserRow } from "@hearth/core/users"
import { countEvents, eventShape } from "../events/memory.ts"
import type { Draft } from "../memory/database.ts"
import { rowsOf } from "../memory/rows.ts"
import { userStreakShape } from "../streaks/memory.ts"
import { entitlementShape, userShape } from "../users/memory-shapes.ts"

const factsReader = (draft: Draft, now: Date) => {
  const entitlements = Map.groupBy(rowsOf(draft, entitlementShape).values(), ({ app_user_id }) => app_user_id)
  const streaks = Map.groupBy(rowsOf(draft, userStreakShape).values(), ({ app_user_id }) => app_user_id)
  const events = Map.groupBy(rowsOf(draft, eventShape).values(), ({ app_user_id }) => app_user_id)
  return (user: UserRow): UserFacts => ({
    user,
    entitlements: entitlements.get(user.id) ?? [],
    streaks: new Map(
      streaks.get(user.id)?.map(({ streak_definition_id, current_count }) => [streak_definition_id, current_count]),
    ),
    eventCount: (rule) => countEvents(events.get(user.id) ?? [], eventSpan(rule, now)),
  })
}

/** The users that rules describe. */
export const describedUsers = (draft: Draft, rules: RuleGroup, now: Date): ReadonlyArray<UserRow> => {
  const factsOf = factsReader(draft, now)
  return [...rowsOf(draft, userShape).values()].filter((user) => matches(rules, factsOf(user), now))
}
