import type { EngagementEvent } from "@hearth/core/events"
import {
  eventRules,
  matches,
  measureEvents,
  measureKey,
  type RuleFacts,
  type RuleGroup,
  type UserFacts,
} from "@hearth/core/segments"
import type { UserRow } from "@hearth/core/users"
import { achievementShape, userAchievementShape } from "../achievements/memory-shapes.ts"
import { readBalances } from "../currencies/memory-wallets.ts"
import { eventShape } from "../events/memory.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { rowsOf } from "../memory/rows.ts"
import { userStreakShape } from "../streaks/memory.ts"
import { readUsers } from "../users/memory-batches.ts"
import { entitlementShape, userShape } from "../users/memory-shapes.ts"
import { xpTotalShape } from "../xp/memory.ts"

const factsReader = (draft: Draft, now: Date) => {
  const entitlements = Map.groupBy(rowsOf(draft, entitlementShape).values(), ({ app_user_id }) => app_user_id)
  const streaks = Map.groupBy(rowsOf(draft, userStreakShape).values(), ({ app_user_id }) => app_user_id)
  // Only where a rule asks for them: there are more of them than of all the others.
  let events: ReadonlyMap<string, ReadonlyArray<EngagementEvent>> | undefined
  const eventsOf = (userId: string) => {
    events ??= Map.groupBy(rowsOf(draft, eventShape).values(), ({ app_user_id }) => app_user_id)
    return events.get(userId) ?? []
  }
  const unlocked = Map.groupBy(rowsOf(draft, userAchievementShape).values(), ({ app_user_id }) => app_user_id)
  const keyOf = (id: string) => rowsOf(draft, achievementShape).get(id)?.key ?? ""
  return (user: UserRow, rules: ReadonlyArray<RuleGroup>): UserFacts => ({
    user,
    entitlements: entitlements.get(user.id) ?? [],
    streaks: new Map(
      streaks.get(user.id)?.map(({ streak_definition_id, current_count }) => [streak_definition_id, current_count]),
    ),
    achievements: new Set(unlocked.get(user.id)?.map(({ achievement_id }) => keyOf(achievement_id))),
    xp: rowsOf(draft, xpTotalShape).get(user.id)?.total ?? 0,
    currencies: readBalances(draft, user.id, now),
    events: new Map(
      rules.flatMap(eventRules).map((rule) => [measureKey(rule), measureEvents(rule, eventsOf(user.id), now)] as const),
    ),
  })
}

/** The users that rules describe. */
export const describedUsers = (draft: Draft, rules: RuleGroup, now: Date): ReadonlyArray<UserRow> => {
  const readFacts = factsReader(draft, now)
  return [...rowsOf(draft, userShape).values()].filter((user) => matches(rules, readFacts(user, [rules]), now))
}

/** What rules read about users. */
export const memoryRuleFacts = (statements: Statements): RuleFacts => ({
  read: (users, now) =>
    statements.query((draft) => {
      const readFacts = factsReader(draft, now)
      const rules = new Map(users.map(({ user_id, rules }) => [user_id, rules]))
      return readUsers(draft, [...rules.keys()]).map((user) => readFacts(user, rules.get(user.id) ?? []))
    }),
})
