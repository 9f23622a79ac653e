import { Count, Forbidden, InvalidToken, LimitReached, NotFound } from "@hearth/core"
import {
  InvalidCount,
  InvalidId,
  NewStreakDefinition,
  OwnStreak,
  QualifyRequest,
  StreakDefinition,
  StreakDefinitionChanges,
  StreakDefinitionNotFound,
  StreakTimelineEntry,
  UserStreakNotFound,
  UserStreakView,
} from "@hearth/core/streaks"
import { Schema } from "effect"
import { noOffset, paging } from "../http/request/query.ts"
import { created, deleted, listOf, ok, pageOf, sliceOf } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** How many periods of a timeline are answered [G10.1]. */
const { limit } = paging(90)

/** Decisions D: a user's own streaks. */
const clientStreaks = [
  route("GET", "/client/streaks", {
    id: "client.streaks.list",
    summary: "Lists the caller's streaks as they are now",
    description:
      "Every streak that the caller has begun, with its definition, count, freezes and last periods. `expires_at` says until when the next qualifying event must come.",
    access: "client",
    errors: [InvalidToken],
    query: paging(),
    returns: sliceOf(OwnStreak),
    run: ({ core, caller }) => core.streaks.own(caller.project_id, caller.user_id),
  }),
  route("POST", "/client/streaks/:streakId/qualify", {
    id: "client.streaks.qualify",
    summary: "Counts a streak for the caller now",
    description:
      "As if the qualifying event had been recorded now, and answers the streak as it is then. Where only servers may record that event it is 403.",
    access: "client",
    body: QualifyRequest,
    optionalBody: true,
    errors: [StreakDefinitionNotFound, Forbidden, InvalidToken],
    returns: ok(OwnStreak),
    run: ({ core, caller, params, body }) =>
      core.streaks.qualify(caller.project_id, caller.user_id, params.streakId, body),
  }),
  route("GET", "/client/streaks/:streakId/timeline", {
    id: "client.streaks.timeline",
    summary: "Shows why the caller's streak is what it is: its last periods, newest first",
    description:
      "A sentence for each period: done, bridged by a freeze, missed or open. Between them stand the freezes that were granted or earned.",
    access: "client",
    query: { limit, ...noOffset() },
    errors: [StreakDefinitionNotFound, InvalidToken],
    returns: listOf(StreakTimelineEntry),
    run: ({ core, caller, params, query }) =>
      core.streaks.timelines.own(
        caller.project_id,
        { app_user_id: caller.user_id, streak_definition_id: params.streakId },
        query.limit,
      ),
  }),
]

/** Spec: admin plane, streaks. */
const adminStreaks = [
  route("POST", "/admin/projects/:projectId/streaks", {
    id: "streaks.create",
    summary: "Defines a streak",
    description:
      "Say which event counts and whether it has to come daily or weekly, in the user's own time zone. Grace hours and freezes forgive. Users get the streak with their first qualifying event.",
    access: "developer",
    body: NewStreakDefinition,
    errors: [LimitReached],
    returns: created(StreakDefinition),
    run: ({ core, params, body }) => core.streaks.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/streaks", {
    id: "streaks.list",
    summary: "Lists the streak definitions",
    description: "The definitions, that is the rules; a user's counts are in `client.streaks.list` and `users.get`.",
    access: "developer",
    query: paging(),
    returns: pageOf(StreakDefinition),
    run: ({ core, params, query }) => core.streaks.list(params.projectId, query),
  }),
  route("PATCH", "/admin/projects/:projectId/streaks/:streakId", {
    id: "streaks.update",
    summary: "Changes a streak definition; where its rules change, everybody's streaks follow in the background",
    description:
      "Only the keys that are sent change. Counts are read from the log again by the new rules, so nothing that users did is lost.",
    access: "developer",
    body: StreakDefinitionChanges,
    errors: [NotFound],
    returns: ok(StreakDefinition),
    fault: "UPDATE_FAILED",
    run: ({ core, params, body }) => core.streaks.update(params.projectId, params.streakId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/streaks/:streakId", {
    id: "streaks.delete",
    summary: "Removes a streak definition and everybody's streaks of it",
    description:
      "The events that were counted stay in the log. A new definition of the same event counts those that come from then on.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.streaks.remove(params.projectId, params.streakId),
  }),
  route("POST", "/admin/projects/:projectId/users/:userId/streaks/:streakDefinitionId/grant-shield", {
    id: "users.streaks.grantShield",
    summary: "Gives a user freezes for a streak, up to the definition's cap",
    description:
      "A freeze bridges one missed period by itself. `count` is 1 where left out; above `max_freezes` of the definition nothing is added.",
    access: "developer",
    // Any value: the use case has a code of its own for a bad count.
    body: Schema.Struct({ count: Schema.optionalKey(Schema.Unknown) }),
    bodyShape: Schema.Struct({ count: Schema.optionalKey(Count) }),
    optionalBody: true,
    malformed: { userId: InvalidId, streakDefinitionId: InvalidId },
    errors: [InvalidCount, StreakDefinitionNotFound, UserStreakNotFound],
    returns: ok(UserStreakView),
    run: ({ core, params, body }) =>
      core.streaks.grantShield(params.projectId, params.userId, params.streakDefinitionId, body.count),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId/streaks/:streakDefinitionId/timeline", {
    id: "users.streaks.timeline",
    summary: "Shows why a user's streak is what it is: its last periods, newest first",
    description: "For support: each period has a `reason` that can be sent to the user as it is.",
    access: "developer",
    query: { limit, ...noOffset() },
    errors: [NotFound, StreakDefinitionNotFound, UserStreakNotFound],
    returns: listOf(StreakTimelineEntry),
    run: ({ core, params, query }) =>
      core.streaks.timelines.ofUser(
        params.projectId,
        { app_user_id: params.userId, streak_definition_id: params.streakDefinitionId },
        query.limit,
      ),
  }),
]

/** Streaks and their definitions. */
export const streakRoutes = [...clientStreaks, ...adminStreaks]
