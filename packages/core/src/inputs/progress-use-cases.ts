import { AchievementChanges, EvaluateRequest, NewAchievement } from "../achievements/index.ts"
import { LeaderboardChanges, NewLeaderboard, RankCursor } from "../leaderboards/index.ts"
import { AdvanceRequest, NewOnboardingFlow, OnboardingFlowChanges } from "../onboarding/index.ts"
import { NewStreakDefinition, QualifyRequest, StreakDefinitionChanges } from "../streaks/index.ts"
import { NewXpLevels, NewXpRules, XpAwardInput, XpCursor } from "../xp/index.ts"
import { positionOrStart } from "./positions.ts"
import { count, id, key, optionalInstant, optionalRecord, options, readOn, record, slice } from "./rules.ts"

const streakKey = ["app_user_id", "streak_definition_id"]

/** How the arguments of the use cases of streaks, achievements, XP and leaderboards are read. */
export const progressRules = {
  achievements: {
    create: [id, record(NewAchievement)],
    evaluate: [id, id, optionalRecord(EvaluateRequest)],
    get: [id, id],
    list: [id, slice],
    listForUser: [id, id],
    own: [id, id],
    preview: [id],
    remove: [id, id],
    revoke: [id, id, id],
    unlock: [id, id, id],
    update: [id, id, record(AchievementChanges)],
  },
  leaderboards: {
    countDifferences: [id, id],
    create: [id, record(NewLeaderboard)],
    entries: [id, id, readOn(RankCursor)],
    get: [id, id],
    list: [id, slice],
    ranks: [id, id, id, slice],
    rebuild: [id, id],
    remove: [id, id],
    shown: [id, optionalInstant("at")],
    update: [id, id, record(LeaderboardChanges)],
  },
  onboarding: {
    advance: [id, id, id, record(AdvanceRequest)],
    complete: [id, id, id],
    create: [id, record(NewOnboardingFlow)],
    find: [id, id],
    list: [id, slice],
    own: [id, id, slice],
    remove: [id, id],
    skip: [id, id, id],
    start: [id, id, id],
    stats: [id],
    update: [id, id, record(OnboardingFlowChanges)],
  },
  streaks: {
    create: [id, record(NewStreakDefinition)],
    grantShield: [id, id, id],
    list: [id, slice],
    own: [id, id],
    qualify: [id, id, id, optionalRecord(QualifyRequest)],
    remove: [id, id],
    timelines: {
      ofUser: [id, options({}, streakKey, {}, streakKey), count("limit", 1, 1000, 90)],
      own: [id, options({}, streakKey, {}, streakKey), count("limit", 1, 1000, 90)],
    },
    update: [id, id, record(StreakDefinitionChanges)],
  },
  xp: {
    award: [id, id, record(XpAwardInput), key],
    levels: [id],
    ofUser: [id, id, options({}, [], { cursor: positionOrStart(XpCursor) })],
    own: [id, id],
    replaceLevels: [id, record(NewXpLevels)],
    replaceRules: [id, record(NewXpRules)],
    rules: [id],
  },
} as const
