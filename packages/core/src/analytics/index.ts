export { makeAnalytics } from "./analytics.ts"
export type { DayRange, TimeRange } from "./days.ts"
export { AnalyticsRangeTooLarge } from "./failures.ts"
export { Cohort, DayUsers, HourCount, HourFigures, Overview, Retention, SessionFigures } from "./figures.ts"
export type {
  ActiveDay,
  ActiveDays,
  ActiveDaysDb,
  ActiveUsers,
  Analytics,
  AnalyticsDb,
  CohortActivity,
  CohortSize,
} from "./port.ts"
export { activityReactionName } from "./reaction.ts"
export { rebuildTopic as activityRebuildTopic } from "./rebuild.ts"
export { analyticsWork } from "./work.ts"
