import type { Effect } from "effect"
import type { Table } from "../ports/table.ts"
import type { RuleGroup } from "../segments/rules.ts"
import type { Achievement, AchievementRevocation, UserAchievement, WouldUnlock } from "./achievement.ts"

/** A user and an achievement. */
export type UnlockKey = Pick<UserAchievement, "app_user_id" | "achievement_id">

/** A user, and whether an achievement is closed to the machine: the user has it, or it was taken back by hand. */
export interface Candidate {
  readonly user_id: string
  readonly is_closed: boolean
}

/**
 * What users have unlocked. Unique: (`app_user_id`, `achievement_id`). Removed with their user or achievement. Whoever writes
 * holds the project's hold.
 */
export interface UserAchievements extends Table<UserAchievement> {
  /** Inserts those whose user and achievement are not there together yet. Answers the ids of the new ones. */
  insertMany(rows: ReadonlyArray<UserAchievement>): Effect.Effect<ReadonlyArray<string>>
  /** What these users have unlocked, or had taken back from them. */
  listClosed(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<UnlockKey>>
  /** Up to `limit` users after `afterUserId` (null: from the first), ascending by id, with whether the achievement is closed to them. */
  listCandidates(
    achievementId: string,
    afterUserId: string | null,
    limit: number,
  ): Effect.Effect<ReadonlyArray<Candidate>>
  /**
   * The users that match `criteria` at `now`: their number, and up to `sampleSize`, the latest active first. Those are left out
   * to whom the achievement is closed; null is an achievement that is not there yet.
   */
  preview(criteria: RuleGroup, achievementId: string | null, now: Date, sampleSize: number): Effect.Effect<WouldUnlock>
}

/** What a project's database has for achievements. */
export interface AchievementsDb {
  /** Unique: `key`. */
  readonly achievements: Table<Achievement>
  readonly userAchievements: UserAchievements
  /** Unique: (`app_user_id`, `achievement_id`). Removed with their user or achievement. Written under the hold. */
  readonly achievementRevocations: Table<AchievementRevocation>
}
