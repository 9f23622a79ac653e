import { InvalidInput, LimitReached, NotFound, Timestamp } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import {
  AdminLeaderboardRank,
  InvalidAt,
  Leaderboard,
  LeaderboardChanges,
  LeaderboardPage,
  NewLeaderboard,
  OwnLeaderboard,
  RankCursor,
  RebuildDifferences,
  RebuildStarted,
} from "@hearth/core/leaderboards"
import { Schema } from "effect"
import { flag, paging, readsOn } from "../http/request/query.ts"
import { created, deleted, json, listPageOf, ok, pageOf, sliceOf } from "../http/response/answers.ts"
import { route } from "./route.ts"

const window = { at: Schema.optionalKey(Timestamp) }
const malformed = { at: InvalidAt }

/** Decisions D and G3.5: leaderboards as users see them. */
const clientLeaderboards = [
  route("GET", "/client/leaderboards", {
    id: "client.leaderboards.list",
    summary: "Lists the active leaderboards with the window of an instant; of now where none is given",
    description: "Each comes with the window that `at` falls in: a UTC day, week or month, or null for all time.",
    access: "client",
    query: { ...window, ...paging() },
    malformed,
    returns: sliceOf(OwnLeaderboard),
    run: ({ core, caller, query }) => core.leaderboards.shown(caller.project_id, query.at),
  }),
  route("GET", "/client/leaderboards/:leaderboardId/entries", {
    id: "client.leaderboards.entries.list",
    summary: "Lists entries by rank, from the top or around the caller, and shows where the caller stands",
    description:
      "`me` is where the caller stands, also when that is on another page. With `around=me` the page is centred on the caller. Windows of the past stay readable.",
    access: "client",
    query: { ...paging(), ...window, around: Schema.optionalKey(Schema.Literal("me")) },
    malformed,
    errors: [NotFound],
    returns: json(LeaderboardPage),
    run: ({ core, caller, params, query }) =>
      core.leaderboards.ranks(caller.project_id, caller.user_id, params.leaderboardId, query),
  }),
]

/** Spec: admin plane, leaderboards; G3.6. */
const adminLeaderboards = [
  route("POST", "/admin/projects/:projectId/leaderboards", {
    id: "leaderboards.create",
    summary: "Creates a leaderboard; scores of before are read from the log in the background",
    description:
      "`metric` is XP, the length of streaks, or a count or sum of an event: `custom_event` is `lesson_completed` for a count and `lesson_completed:minutes` for the sum of a property. `filling` is true until the past is in.",
    access: "developer",
    body: NewLeaderboard,
    errors: [InvalidInput, LimitReached],
    returns: created(Leaderboard),
    run: ({ core, params, body }) => core.leaderboards.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/leaderboards", {
    id: "leaderboards.list",
    summary: "Lists the leaderboards, the oldest first",
    description: "With inactive ones, which users do not see.",
    access: "developer",
    query: paging(),
    returns: pageOf(Leaderboard),
    run: ({ core, params, query }) => core.leaderboards.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/leaderboards/:leaderboardId", {
    id: "leaderboards.get",
    summary: "Shows a leaderboard",
    description: "One definition, with whether it is being filled.",
    access: "developer",
    errors: [NotFound],
    returns: ok(Leaderboard),
    run: ({ core, params }) => core.leaderboards.get(params.projectId, params.leaderboardId),
  }),
  route("PATCH", "/admin/projects/:projectId/leaderboards/:leaderboardId", {
    id: "leaderboards.update",
    summary: "Changes a leaderboard; where what it ranks changes, it is filled again in the background",
    description: "Only the keys that are sent change.",
    access: "developer",
    body: LeaderboardChanges,
    errors: [InvalidInput, NotFound],
    returns: ok(Leaderboard),
    run: ({ core, params, body }) => core.leaderboards.update(params.projectId, params.leaderboardId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/leaderboards/:leaderboardId", {
    id: "leaderboards.delete",
    summary: "Removes a leaderboard with its entries",
    description: "Its events stay in the log: a new leaderboard is filled from them.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.leaderboards.remove(params.projectId, params.leaderboardId),
  }),
  route("GET", "/admin/projects/:projectId/leaderboards/:leaderboardId/entries", {
    id: "leaderboards.entries.list",
    summary: "Lists the entries of a window by rank, those without one last",
    description:
      "As users see them, without `me`. Users beyond `max_entries` have no rank. With `cursor=start`, and the `next_cursor` of each answer from then on, the window of `at` is read to its end, each page at the same cost; who changes their score between two pages may be passed over or listed twice, and nobody else is.",
    access: "developer",
    query: { ...paging(), ...window, ...readsOn(RankCursor) },
    malformed: { ...malformed, cursor: InvalidCursor },
    errors: [NotFound],
    returns: listPageOf(AdminLeaderboardRank, RankCursor),
    run: ({ core, params, query }) => core.leaderboards.entries(params.projectId, params.leaderboardId, query),
  }),
  route("POST", "/admin/projects/:projectId/leaderboards/:leaderboardId/rebuild", {
    id: "leaderboards.rebuild",
    summary:
      "Makes all scores again from the log in the background; with dry_run, counts the entries that would change",
    description:
      "Only for repair: scores follow the log by themselves. Begin with `dry_run=true`; 0 differences is what it should say.",
    access: "developer",
    query: { dry_run: Schema.optionalKey(flag) },
    errors: [NotFound],
    returns: ok(Schema.Union([RebuildStarted, RebuildDifferences])),
    run: ({ core, params, query }) =>
      query.dry_run === true
        ? core.leaderboards.countDifferences(params.projectId, params.leaderboardId)
        : core.leaderboards.rebuild(params.projectId, params.leaderboardId),
  }),
]

/** Rankings of users. */
export const leaderboardRoutes = [...clientLeaderboards, ...adminLeaderboards]
