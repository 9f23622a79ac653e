import { InvalidAmount, InvalidInput, InvalidToken } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import { IdempotencyKeyReused } from "@hearth/core/idempotency"
import { UserNotFound } from "@hearth/core/users"
import {
  NewXpLevels,
  NewXpRules,
  OwnXp,
  UserXp,
  XpAwarded,
  XpAwardInput,
  XpAwardShape,
  XpCursor,
  XpLevelList,
  XpRuleList,
} from "@hearth/core/xp"
import { readsOn } from "../http/request/query.ts"
import { created, ok } from "../http/response/answers.ts"
import { idempotencyKey } from "./idempotency-key.ts"
import { route } from "./route.ts"

// 1,000 names of 255 characters fit in, however they are written.
const listBytes = 2 * 1024 * 1024

/** Decisions D: a user's own XP. */
const clientXp = [
  route("GET", "/client/xp", {
    id: "client.xp.get",
    summary: "Shows the caller's XP, the level that it has reached and the next one",
    description: "The total never falls below 0. Both levels may be null: below the first one and at the last one.",
    access: "client",
    errors: [InvalidToken],
    returns: ok(OwnXp),
    run: ({ core, caller }) => core.xp.own(caller.project_id, caller.user_id),
  }),
]

/** Spec G2: what events are worth, levels, and the XP of users. */
const adminXp = [
  route("GET", "/admin/projects/:projectId/xp/rules", {
    id: "xp.rules.list",
    summary: "Lists what events are worth",
    description: "There is one rule for each event name; an event without one is worth nothing.",
    access: "developer",
    returns: ok(XpRuleList),
    run: ({ core, params }) => core.xp.rules(params.projectId),
  }),
  route("PUT", "/admin/projects/:projectId/xp/rules", {
    id: "xp.rules.replace",
    summary: "Replaces what events are worth; events that are handled from then on follow it",
    description:
      "Send all rules: those that are not sent are gone. `daily_cap` is the most that a user gets from a rule on one UTC day. What was given before stays.",
    access: "developer",
    body: NewXpRules,
    bodyLimit: listBytes,
    errors: [InvalidInput],
    returns: ok(XpRuleList),
    run: ({ core, params, body }) => core.xp.replaceRules(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/xp/levels", {
    id: "xp.levels.list",
    summary: "Lists the levels, the lowest first",
    description: "Names and the XP that each asks for.",
    access: "developer",
    returns: ok(XpLevelList),
    run: ({ core, params }) => core.xp.levels(params.projectId),
  }),
  route("PUT", "/admin/projects/:projectId/xp/levels", {
    id: "xp.levels.replace",
    summary: "Replaces the levels; nobody is told of one at or below their greatest total",
    description: "Send all levels, strictly rising. A user is told once of every level (event `level_reached`).",
    access: "developer",
    body: NewXpLevels,
    bodyLimit: listBytes,
    errors: [InvalidInput],
    returns: ok(XpLevelList),
    run: ({ core, params, body }) => core.xp.replaceLevels(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId/xp", {
    id: "users.xp.get",
    summary: "Shows a user's XP with the newest 50 entries of the ledger",
    description:
      "Every entry says where the points came from: an event, an achievement, an award by hand or a reward. With `cursor=start`, and the `next_cursor` of each answer from then on, the whole ledger is read, 50 entries at a time.",
    access: "developer",
    query: readsOn(XpCursor),
    malformed: { cursor: InvalidCursor },
    errors: [UserNotFound],
    returns: ok(UserXp),
    run: ({ core, params, query }) => core.xp.ofUser(params.projectId, params.userId, query),
  }),
  route("POST", "/admin/projects/:projectId/users/:userId/xp", {
    id: "users.xp.award",
    summary: "Gives a user XP by hand, or takes some; what takes more than there is takes all",
    description:
      "A negative amount takes points away, at most as many as there are. With an `Idempotency-Key` the call may be repeated and counts once.",
    access: "developer",
    headers: idempotencyKey,
    body: XpAwardInput,
    bodyShape: XpAwardShape,
    errors: [InvalidInput, InvalidAmount, UserNotFound, IdempotencyKeyReused],
    returns: created(XpAwarded),
    run: ({ core, params, headers, body }) =>
      core.xp.award(params.projectId, params.userId, body, headers["Idempotency-Key"] ?? null),
  }),
]

/** XP: rules, levels, and what users have. */
export const xpRoutes = [...clientXp, ...adminXp]
