import { InvalidToken, LimitReached, NotFound, QuotaExceeded } from "@hearth/core"
import {
  Achievement,
  AchievementChanges,
  AchievementEvaluationStarted,
  AchievementInactive,
  AchievementKeyExists,
  AchievementOfUser,
  EvaluateRequest,
  InvalidCriteria,
  NewAchievement,
  OwnAchievement,
  WouldUnlock,
} from "@hearth/core/achievements"
import { UserNotFound } from "@hearth/core/users"
import { Schema } from "effect"
import { paging } from "../http/request/query.ts"
import { created, deleted, ok, pageOf, sliceOf, upserted } from "../http/response/answers.ts"
import { route } from "./route.ts"
import { RuleTree } from "./rule-tree.ts"

const newAchievementShape = Schema.Struct({ ...NewAchievement.fields, criteria: RuleTree }).annotate({
  identifier: "NewAchievement",
})
const changesShape = Schema.Struct({ ...AchievementChanges.fields, criteria: Schema.optionalKey(RuleTree) }).annotate({
  identifier: "AchievementChanges",
})

/** Decisions D: a user's own achievements. */
const clientAchievements = [
  route("GET", "/client/achievements", {
    id: "client.achievements.list",
    summary: "Lists the achievements with the caller's progress; hidden and inactive ones once they are unlocked",
    description: "Progress is `current` of `target`. Hidden achievements appear when they are unlocked.",
    access: "client",
    errors: [InvalidToken],
    query: paging(),
    returns: sliceOf(OwnAchievement),
    run: ({ core, caller }) => core.achievements.own(caller.project_id, caller.user_id),
  }),
]

/** Spec: admin plane, achievements. */
const adminAchievements = [
  route("POST", "/admin/projects/:projectId/achievements", {
    id: "achievements.create",
    summary: "Makes an achievement; users unlock it with their next event, or by an evaluation",
    description:
      "`criteria` is a tree of rules about events and properties, the same as in segments. `key` is the name that apps use and is unique.",
    access: "developer",
    body: NewAchievement,
    bodyShape: newAchievementShape,
    errors: [InvalidCriteria, AchievementKeyExists, LimitReached, QuotaExceeded],
    returns: created(Achievement),
    fault: "CREATE_FAILED",
    run: ({ core, params, body }) => core.achievements.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/achievements", {
    id: "achievements.list",
    summary: "Lists the achievements by `sort_order`",
    description: "With the hidden and inactive ones, which users may not see.",
    access: "developer",
    query: paging(),
    returns: pageOf(Achievement),
    run: ({ core, params, query }) => core.achievements.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/achievements/:achievementId", {
    id: "achievements.get",
    summary: "Shows an achievement",
    description: "One definition with its criteria.",
    access: "developer",
    errors: [NotFound],
    returns: ok(Achievement),
    run: ({ core, params }) => core.achievements.get(params.projectId, params.achievementId),
  }),
  route("PATCH", "/admin/projects/:projectId/achievements/:achievementId", {
    id: "achievements.update",
    summary: "Changes an achievement; what is unlocked stays so",
    description:
      "Only the keys that are sent change; `key` stays. New criteria are tried with the next events of users, or by an evaluation.",
    access: "developer",
    body: AchievementChanges,
    bodyShape: changesShape,
    errors: [InvalidCriteria, NotFound, QuotaExceeded],
    returns: ok(Achievement),
    fault: "UPDATE_FAILED",
    run: ({ core, params, body }) => core.achievements.update(params.projectId, params.achievementId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/achievements/:achievementId", {
    id: "achievements.delete",
    summary: "Removes an achievement from everybody; the XP for it stays",
    description: "Users lose it, and keep the XP that it gave.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.achievements.remove(params.projectId, params.achievementId),
  }),
  route("POST", "/admin/projects/:projectId/achievements/preview", {
    id: "achievements.preview",
    summary: "Counts the users who fit criteria at this moment, and shows up to 20 of them; nothing is stored",
    description: "Try criteria before you save them.",
    access: "developer",
    // It only reads. It is a POST because it has a body.
    role: "viewer",
    body: Schema.Struct({ criteria: Schema.Unknown }),
    bodyShape: Schema.Struct({ criteria: RuleTree }),
    errors: [InvalidCriteria],
    returns: ok(WouldUnlock),
    run: ({ core, params, body }) => core.achievements.preview(params.projectId, body.criteria),
  }),
  route("POST", "/admin/projects/:projectId/achievements/:achievementId/evaluate", {
    id: "achievements.evaluate",
    summary: "Unlocks it in the background for all who fit it already; with `dry_run` only tells how many would",
    description:
      'Without it, only users who do something from now on unlock a new achievement. Begin with `{"dry_run": true}`.',
    access: "developer",
    body: EvaluateRequest,
    optionalBody: true,
    errors: [NotFound, AchievementInactive, InvalidCriteria],
    returns: ok(Schema.Union([AchievementEvaluationStarted, WouldUnlock])),
    run: ({ core, params, body }) => core.achievements.evaluate(params.projectId, params.achievementId, body),
  }),
]

/** Decisions G1.6: the achievements of a user. */
const achievementsOfUsers = [
  route("GET", "/admin/projects/:projectId/users/:userId/achievements", {
    id: "users.achievements.list",
    summary: "Lists all achievements with how far a user is",
    description: "Every achievement, hidden ones too, with the user's progress and `unlocked_at`.",
    access: "developer",
    errors: [UserNotFound],
    query: paging(),
    returns: sliceOf(AchievementOfUser),
    run: ({ core, params }) => core.achievements.listForUser(params.projectId, params.userId),
  }),
  route("POST", "/admin/projects/:projectId/users/:userId/achievements/:achievementId", {
    id: "users.achievements.grant",
    summary: "Unlocks an achievement for a user by hand, with its XP",
    description: "Whatever the criteria say. An achievement that the user has already is answered with 200.",
    access: "developer",
    errors: [UserNotFound, NotFound],
    returns: upserted(AchievementOfUser),
    run: ({ core, params }) => core.achievements.unlock(params.projectId, params.userId, params.achievementId),
  }),
  route("DELETE", "/admin/projects/:projectId/users/:userId/achievements/:achievementId", {
    id: "users.achievements.revoke",
    summary: "Takes an achievement back from a user, with its XP; only by hand can it be unlocked again",
    description: "The XP that came with it is taken back by an entry of its own in the ledger.",
    access: "developer",
    errors: [UserNotFound, NotFound],
    returns: deleted,
    run: ({ core, params }) => core.achievements.revoke(params.projectId, params.userId, params.achievementId),
  }),
]

/** Achievements, and what users have of them. */
export const achievementRoutes = [...clientAchievements, ...adminAchievements, ...achievementsOfUsers]
