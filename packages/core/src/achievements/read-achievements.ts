import { Effect, Option } from "effect"
import type { UserFacts } from "../segments/facts.ts"
import type { SegmentsDb } from "../segments/port.ts"
import { readUserFacts } from "../segments/read-user-facts.ts"
import type { StreaksDb } from "../streaks/port.ts"
import type { Achievement, AchievementOfUser } from "./achievement.ts"
import type { Criteria, ReadCriteria } from "./criteria.ts"
import type { AchievementsDb } from "./port.ts"
import { measureProgress, targetDepends } from "./progress.ts"

/** What is read to show achievements to a user. */
export type ReadAchievementsDb = AchievementsDb & Pick<SegmentsDb, "ruleFacts"> & StreaksDb

/** The order of lists of achievements. */
export const listOrder = [
  ["sort_order", "asc"],
  ["created_at", "asc"],
] as const

const measure = (criteria: Criteria | null, facts: UserFacts, isUnlocked: boolean, now: Date) => {
  // Criteria of a newer release cannot be measured here.
  if (criteria === null) return { current: isUnlocked ? 1 : 0, target: 1 }
  const progress = measureProgress(criteria.rules, facts, now)
  return isUnlocked ? { ...progress, current: progress.target } : progress
}

/**
 * Achievements with when a user has unlocked them, and how far the user is [G1.4]. Events are measured in a few statements for all
 * of them. `isShown` is told of each whether it is unlocked. None for an unknown user.
 */
export const readAchievements = Effect.fnUntraced(function* (
  db: ReadAchievementsDb,
  readCriteria: ReadCriteria,
  userId: string,
  achievements: ReadonlyArray<Achievement>,
  isShown: (achievement: Achievement, isUnlocked: boolean) => boolean,
  now: Date,
) {
  const rows = yield* db.userAchievements.list({ app_user_id: userId }, [])
  const unlocked = new Map(rows.map(({ achievement_id, unlocked_at }) => [achievement_id, unlocked_at]))
  const shown = achievements
    .filter((achievement) => isShown(achievement, unlocked.has(achievement.id)))
    .map((achievement) => ({ achievement, criteria: readCriteria(achievement) }))
  // What is unlocked is complete, whatever is counted now. Only which way it was can depend on the user.
  const measured = shown.flatMap(({ achievement, criteria }) =>
    criteria === null || (unlocked.has(achievement.id) && !targetDepends(criteria.rules)) ? [] : [criteria.rules],
  )
  const facts = yield* readUserFacts(db, userId, measured, now)
  return Option.map(facts, (known) =>
    shown.map(({ achievement, criteria }): AchievementOfUser => {
      const unlocked_at = unlocked.get(achievement.id) ?? null
      return { ...achievement, unlocked_at, progress: measure(criteria, known, unlocked_at !== null, now) }
    }),
  )
})
