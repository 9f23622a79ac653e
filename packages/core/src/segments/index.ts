export { conditionOf, type FieldCondition, type FieldProblem, type FieldTest, readCondition } from "./conditions.ts"
export { type Evaluation, makeEvaluation } from "./evaluation.ts"
export { ExplainedNode, explainRules } from "./explain.ts"
export { explainMembership, MembershipExplained } from "./explain-membership.ts"
export { factOf, type UserFacts } from "./facts.ts"
export { EvaluateFailed, InvalidRules, SystemSegment } from "./failures.ts"
export {
  type FieldTarget,
  fieldTarget,
  type TextColumn,
  type TimestampColumn,
  textColumns,
  timestampColumns,
} from "./fields.ts"
export { readDuration, readTimestamp, timestampPattern } from "./instants.ts"
export { foldCase, sameLetters } from "./letter-case.ts"
export { eventRuleOf, eventSpan, fieldRuleOf, groupMatches, matches } from "./matches.ts"
export { SegmentMembership } from "./membership.ts"
export { parseRules, ruleLimits } from "./parse-rules.ts"
export type { SegmentMembers, SegmentPreview, Segments, SegmentsDb } from "./port.ts"
export {
  type Comparison,
  type CountOp,
  comparisons,
  complements,
  countOps,
  type EventRule,
  eventRules,
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
} from "./rules.ts"
export { segmentMembershipsSection } from "./sections.ts"
export { NewSegment, RulesPreview, Segment, SegmentChanges } from "./segment.ts"
export { EvaluationStarted, makeSegments } from "./segments.ts"
export { systemSegments } from "./system-segments.ts"
export { makeSegmentsWork } from "./work.ts"
