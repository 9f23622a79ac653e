export { conditionOf, type FieldCondition, type FieldProblem, type FieldTest, readCondition } from "./conditions.ts"
export { type Evaluation, makeEvaluation } from "./evaluation.ts"
export { ExplainedNode, explainRules } from "./explain.ts"
export { explainMembership, MembershipExplained } from "./explain-membership.ts"
export { factOf, propertyAt, type UserFacts } from "./facts.ts"
export { EvaluateFailed, InvalidRules, SystemSegment } from "./failures.ts"
export {
  type FieldTarget,
  fieldTarget,
  summedPath,
  type TextColumn,
  type TimestampColumn,
  textColumns,
  timestampColumns,
} from "./fields.ts"
export { readDuration, readTimestamp, timestampPattern } from "./instants.ts"
export { foldCase, sameLetters } from "./letter-case.ts"
export { eventRuleOf, fieldRuleOf, groupMatches, matches } from "./matches.ts"
export { measureEvents } from "./measure-events.ts"
export { type EventSpan, eventSpan, measureKey } from "./measures.ts"
export { SegmentMembership } from "./membership.ts"
export { parseRules, readTree } from "./parse-rules.ts"
export type { RuleFacts, SegmentMembers, SegmentPreview, Segments, SegmentsDb, UserRules } from "./port.ts"
export { readUserFacts } from "./read-user-facts.ts"
export { type RuleIssue, ruleLimits } from "./rule-reading.ts"
export {
  type Comparison,
  type CountOp,
  type CountRule,
  comparisons,
  complements,
  countOps,
  type EventRule,
  eventRules,
  eventThreshold,
  type FieldOp,
  type FieldRule,
  type GroupOperator,
  groupOperators,
  leavesOf,
  mentionsStreaks,
  type PositiveOp,
  type RuleGroup,
  type RuleNode,
  type RuleValue,
  type SumRule,
} from "./rules.ts"
export { segmentMembershipsSection } from "./sections.ts"
export { NewSegment, RulesPreview, Segment, SegmentChanges, SegmentRow } from "./segment.ts"
export { EvaluationStarted, makeSegments } from "./segments.ts"
export { systemSegments } from "./system-segments.ts"
export { makeSegmentsWork } from "./work.ts"
