export { formatRules, NewStreakDefinition, StreakDefinition, StreakDefinitionChanges } from "./definition.ts"
export { departStreaks } from "./departure.ts"
export { makeStreakExpiry } from "./expiry.ts"
export { InvalidCount, InvalidId, StreakDefinitionNotFound, UserStreakNotFound } from "./failures.ts"
export { makeGrantShield } from "./grant-shield.ts"
export type {
  AfterPeriod,
  DaySpan,
  FromInstant,
  LastDonePeriod,
  QualifyingEvents,
  StreakDefinitions,
  StreakPeriods,
  StreaksDb,
  UserStreaks,
} from "./port.ts"
export {
  advance,
  fold,
  type Grant,
  grantFreezes,
  newRun,
  type Run,
  type RunRules,
  type Step,
  settle,
} from "./run/run.ts"
export { streakEventsSection, userStreaksSection } from "./sections.ts"
export { type StreakChange, streakChangesNote } from "./streak-changes.ts"
export { QualifyingEventRow, StreakGrantRow, type StreakKey, StreakPeriodRow } from "./streak-rows.ts"
export { makeStreaks, QualifyRequest } from "./streaks.ts"
export { makeTimelines, readTimeline, StreakTimelineEntry } from "./timeline/timeline.ts"
export { deadlineOf, firstOpenPeriod, type PlacedEvent, placeEvent, type TimingRules } from "./timing.ts"
export {
  bringUpToDate,
  frozenPeriods,
  newUserStreak,
  readRun,
  StreakStatus,
  UserStreak,
  withRun,
} from "./user-streak.ts"
export {
  OwnStreak,
  periodViews,
  readStreaks,
  readStreaksByUser,
  type StreakNow,
  StreakPeriodView,
  shownPeriods,
  UserStreakView,
} from "./views.ts"
export { makeStreaksWork } from "./work.ts"
