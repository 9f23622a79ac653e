import { InvalidInput, ListCursor, NotFound, QuotaExceeded, Uuid } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import {
  ContentType,
  InvalidRuleConfig,
  ListedTrustLevel,
  ModerationRule,
  ModerationRuleChanges,
  NewModerationRule,
  QueueItem,
  QueueStatus,
  RulePreview,
  RulePreviewInput,
  TrustLevel,
  TrustLevelInput,
} from "@hearth/core/moderation"
import { UserNotFound } from "@hearth/core/users"
import { Effect, Schema } from "effect"
import { paging, readsOn } from "../../http/request/query.ts"
import { created, deleted, listPageOf, ok, pageOf } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Spec: admin plane, moderation: the queue. */
const queueRoutes = [
  route("GET", "/admin/projects/:projectId/moderation/queue", {
    id: "moderation.queue.list",
    summary: "Lists what waits for moderators, or what they have decided, the newest first",
    description:
      "`pending` ones of all types where neither `status` nor `content_type` is given. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end without gaps, whatever is decided meanwhile.",
    access: "developer",
    query: {
      status: QueueStatus.pipe(Schema.withDecodingDefaultKey(Effect.succeed("pending" as const))),
      content_type: Schema.optionalKey(ContentType),
      user_id: Schema.optionalKey(Uuid),
      ...paging(),
      ...readsOn(ListCursor),
    },
    malformed: { cursor: InvalidCursor },
    errors: [InvalidInput],
    returns: listPageOf(QueueItem, ListCursor),
    run: ({ core, params, query: { status, ...query } }) => core.moderation.queue.list(params.projectId, status, query),
  }),
  route("POST", "/admin/projects/:projectId/moderation/queue/:itemId/approve", {
    id: "moderation.queue.approve",
    summary: "Shows the content; a resolved item is answered as it is",
    description: "Others see the content from now on; a review counts as approved.",
    access: "developer",
    errors: [NotFound],
    returns: ok(QueueItem),
    run: ({ core, params }) => core.moderation.queue.approve(params.projectId, params.itemId),
  }),
  route("POST", "/admin/projects/:projectId/moderation/queue/:itemId/reject", {
    id: "moderation.queue.reject",
    summary: "Hides the content; a resolved item is answered as it is",
    description:
      "Others see it no more; what becomes of it depends on its kind: a message loses its body, a review its approval.",
    access: "developer",
    errors: [NotFound],
    returns: ok(QueueItem),
    run: ({ core, params }) => core.moderation.queue.reject(params.projectId, params.itemId),
  }),
  route("POST", "/admin/projects/:projectId/moderation/queue/:itemId/escalate", {
    id: "moderation.queue.escalate",
    summary: "Leaves the decision to somebody else; a resolved item is answered as it is",
    description: "It leaves the list of pending ones.",
    access: "developer",
    errors: [NotFound],
    returns: ok(QueueItem),
    run: ({ core, params }) => core.moderation.queue.escalate(params.projectId, params.itemId),
  }),
]

/** Spec: admin plane, moderation: the rules. Decision I6.5: their preview. */
const ruleRoutes = [
  route("POST", "/admin/projects/:projectId/moderation/rules", {
    id: "moderation.rules.create",
    summary: "Creates a rule: keywords, a pattern or links, and what a match leads to",
    description:
      "`config` depends on `rule_type`; its `action` says what a match leads to: `flag` shows and queues, `hold` hides until somebody approves, `reject` refuses at once.",
    access: "developer",
    body: NewModerationRule,
    errors: [InvalidInput, InvalidRuleConfig, QuotaExceeded],
    returns: created(ModerationRule),
    run: ({ core, params, body }) => core.moderation.rules.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/moderation/rules", {
    id: "moderation.rules.list",
    summary: "Lists the rules, the newest first",
    description: "Inactive rules are in the list too.",
    access: "developer",
    query: paging(),
    returns: pageOf(ModerationRule),
    run: ({ core, params, query }) => core.moderation.rules.list(params.projectId, query),
  }),
  route("POST", "/admin/projects/:projectId/moderation/rules/preview", {
    id: "moderation.rules.preview",
    summary: "Tries a rule on the newest 1,000 texts of clients; nothing is changed",
    description: "Try a rule before you save it: a careless pattern holds too much.",
    access: "developer",
    role: "viewer",
    body: RulePreviewInput,
    errors: [InvalidInput, InvalidRuleConfig],
    returns: ok(RulePreview),
    run: ({ core, params, body }) => core.moderation.preview(params.projectId, body),
  }),
  route("PATCH", "/admin/projects/:projectId/moderation/rules/:ruleId", {
    id: "moderation.rules.update",
    summary: "Changes the fields that are given; the config is replaced as a whole",
    description: "It counts for what is written from then on.",
    access: "developer",
    body: ModerationRuleChanges,
    errors: [InvalidInput, InvalidRuleConfig, NotFound, QuotaExceeded],
    returns: ok(ModerationRule),
    run: ({ core, params, body }) => core.moderation.rules.update(params.projectId, params.ruleId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/moderation/rules/:ruleId", {
    id: "moderation.rules.delete",
    summary: "Removes a rule; what it has queued stays",
    description: "Texts of before stay as they are.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.moderation.rules.remove(params.projectId, params.ruleId),
  }),
]

/** Spec: admin plane, moderation: trust. */
const trustRoutes = [
  route("POST", "/admin/projects/:projectId/moderation/trust", {
    id: "moderation.trust.set",
    summary: "Says how far a user is trusted; the queue passes over users with auto_approve",
    description: "`auto_approve` is for those whose texts need no check.",
    access: "developer",
    body: TrustLevelInput,
    errors: [InvalidInput, UserNotFound],
    returns: ok(TrustLevel),
    fault: "UPSERT_FAILED",
    run: ({ core, params, body }) => core.moderation.trust.save(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/moderation/trust", {
    id: "moderation.trust.list",
    summary: "Lists how far users are trusted, the latest changed first",
    description:
      "Only users for whom somebody has said something are in the list. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is.",
    access: "developer",
    query: { ...paging(), ...readsOn(ListCursor) },
    malformed: { cursor: InvalidCursor },
    returns: listPageOf(ListedTrustLevel, ListCursor),
    run: ({ core, params, query }) => core.moderation.trust.list(params.projectId, query),
  }),
]

/** Moderation. */
export const moderationRoutes = [...queueRoutes, ...ruleRoutes, ...trustRoutes]
