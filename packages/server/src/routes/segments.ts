import { type Engagement, LimitReached, NotFound } from "@hearth/core"
import {
  EvaluateFailed,
  EvaluationStarted,
  InvalidRules,
  MembershipExplained,
  NewSegment,
  RulesPreview,
  Segment,
  SegmentChanges,
  SystemSegment,
} from "@hearth/core/segments"
import { Effect, Schema } from "effect"
import { paging } from "../http/request/query.ts"
import { created, deleted, ok, pageOf } from "../http/response/answers.ts"
import { route } from "./route.ts"
import { RuleTree } from "./rule-tree.ts"

const newSegmentShape = Schema.Struct({ ...NewSegment.fields, rules: RuleTree }).annotate({
  identifier: "NewSegment",
})
const changesShape = Schema.Struct({ ...SegmentChanges.fields, rules: Schema.optionalKey(RuleTree) }).annotate({
  identifier: "SegmentChanges",
})

const lookMillis = 50
const mostLooks = 10

/** Waits until a segment was evaluated since `asked`: half a second at most, and not for what cannot be looked at. */
const waitForEvaluation = (
  core: Engagement,
  projectId: string,
  id: string,
  asked: Date,
  looks = 0,
): Effect.Effect<void> =>
  Effect.matchEffect(Effect.delay(core.segments.get(projectId, id), lookMillis), {
    onFailure: () => Effect.void,
    onSuccess: ({ last_evaluated_at }) =>
      looks + 1 === mostLooks || (last_evaluated_at !== null && last_evaluated_at >= asked)
        ? Effect.void
        : waitForEvaluation(core, projectId, id, asked, looks + 1),
  })

/** Spec: admin plane, segments. */
export const segmentRoutes = [
  route("POST", "/admin/projects/:projectId/segments", {
    id: "segments.create",
    summary: "Makes a segment; its members are found in the background",
    description:
      "`rules` are conditions over profile, `properties.…`, streaks, entitlements and events, in groups with AND, OR and NOT. The grammar is in docs/segments.md.",
    access: "developer",
    body: NewSegment,
    bodyShape: newSegmentShape,
    errors: [InvalidRules, LimitReached],
    returns: created(Segment),
    fault: "CREATE_FAILED",
    run: ({ core, params, body }) => core.segments.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/segments", {
    id: "segments.list",
    summary: "Lists the segments, those of the system first",
    description:
      "`user_count` is as of `last_evaluated_at`. Those of the system are made by the platform and cannot be changed.",
    access: "developer",
    query: paging(),
    returns: pageOf(Segment),
    run: ({ core, params, query }) => core.segments.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/segments/:segmentId", {
    id: "segments.get",
    summary: "Shows a segment",
    description: "One segment with its rules and the number of its members.",
    access: "developer",
    errors: [NotFound],
    returns: ok(Segment),
    run: ({ core, params }) => core.segments.get(params.projectId, params.segmentId),
  }),
  route("PATCH", "/admin/projects/:projectId/segments/:segmentId", {
    id: "segments.update",
    summary: "Changes a segment; where its rules change, the members follow in the background",
    description: "Only the keys that are sent change. Segments of the system are 403 `SYSTEM_SEGMENT`.",
    access: "developer",
    body: SegmentChanges,
    bodyShape: changesShape,
    errors: [InvalidRules, SystemSegment, NotFound],
    returns: ok(Segment),
    fault: "UPDATE_FAILED",
    run: ({ core, params, body }) => core.segments.update(params.projectId, params.segmentId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/segments/:segmentId", {
    id: "segments.delete",
    summary: "Removes a segment; its members stay users",
    description: "Stores that were only for its members are closed to all, and campaigns to it fail.",
    access: "developer",
    errors: [SystemSegment],
    returns: deleted,
    fault: "DELETE_FAILED",
    run: ({ core, params }) => core.segments.remove(params.projectId, params.segmentId),
  }),
  route("POST", "/admin/projects/:projectId/segments/:segmentId/evaluate", {
    id: "segments.evaluate",
    summary: "Starts an evaluation now; `last_evaluated_at` of the segment tells when it was done",
    description:
      "All segments are evaluated every 15 minutes and when their rules change: call it when you cannot wait. The answer waits for the evaluation for half a second, in which most are done.",
    access: "developer",
    errors: [NotFound, EvaluateFailed],
    returns: ok(EvaluationStarted),
    fault: "EVALUATE_FAILED",
    run: ({ core, params: { projectId, segmentId } }) => {
      const asked = new Date()
      // Those who then look whether `last_evaluated_at` is there would often see an earlier evaluation: that of the new rules.
      return Effect.tap(core.segments.evaluate(projectId, segmentId), () =>
        waitForEvaluation(core, projectId, segmentId, asked),
      )
    },
  }),
  route("POST", "/admin/projects/:projectId/segments/preview", {
    id: "segments.preview",
    summary: "Counts the users that rules describe at this moment, and shows up to ten of them; nothing is stored",
    description: "Try rules before you save them.",
    access: "developer",
    // It only reads. It is a POST because it has a body.
    role: "viewer",
    body: Schema.Struct({ rules: Schema.Unknown }),
    bodyShape: Schema.Struct({ rules: RuleTree }),
    errors: [InvalidRules],
    returns: ok(RulesPreview),
    run: ({ core, params, body }) => core.segments.preview(params.projectId, body.rules),
  }),
  route("GET", "/admin/projects/:projectId/segments/:segmentId/explain/:userId", {
    id: "segments.explain",
    summary: "Explains why a user is in a segment or not: each rule, and what it was compared with",
    description:
      'For the question "why did this user (not) get it?". `matches` is by the rules now, `is_member` as last evaluated.',
    access: "developer",
    errors: [NotFound, InvalidRules],
    returns: ok(MembershipExplained),
    run: ({ core, params }) => core.segments.explain(params.projectId, params.segmentId, params.userId),
  }),
]
