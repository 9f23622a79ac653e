export {
  ContentRejected,
  ContentType,
  type DatedContent,
  type Findings,
  type Moderate,
  type ModeratedContent,
  ModerationState,
  type Submission,
  type WrittenText,
} from "./content.ts"
export { departFromModeration } from "./departure.ts"
export { makeModerate } from "./moderate.ts"
export { maxPatternSteps, type PatternGroup, type Patterns } from "./patterns.ts"
export type {
  ContentKey,
  ModerationDb,
  ModerationQueue,
  ModerationReports,
  ModerationRules,
  QueuedMatch,
  QueueFilter,
  TrustLevels,
} from "./port.ts"
export { makeRulePreview, RulePreview, RulePreviewInput } from "./preview.ts"
export { makeModerationQueue } from "./queue.ts"
export { QueueItem, QueueItemRow, QueueReason, QueueStatus, ReportRow } from "./queue-item.ts"
export { makeReport, NewReport } from "./report.ts"
export {
  InvalidRuleConfig,
  ModerationRule,
  ModerationRuleChanges,
  ModerationRuleRow,
  NewModerationRule,
} from "./rule.ts"
export { makeModerationRules } from "./rules.ts"
export { moderationReportsSection, trustLevelsSection } from "./sections.ts"
export { makeTrust } from "./trust.ts"
export { ListedTrustLevel, TrustLevel, TrustLevelInput } from "./trust-level.ts"
export { makeModerationWork } from "./work.ts"
