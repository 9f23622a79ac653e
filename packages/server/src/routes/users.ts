import { InvalidToken, NotFound, text, Uuid } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import { ContentRejected } from "@hearth/core/moderation"
import { SystemSegment } from "@hearth/core/segments"
import {
  AdminUser,
  AdminUserChanges,
  BulkUpdated,
  BulkUpdateInput,
  EmptyUpdates,
  ExternalIdExists,
  InvalidBody,
  InvalidTimezone,
  InvalidUserIds,
  InvalidUuid,
  MissingUserIds,
  OwnProfile,
  ProfileChanges,
  PropertiesTooLarge,
  TooManyUsers,
  UserCursor,
} from "@hearth/core/users"
import { Schema } from "effect"
import { paging, uuids } from "../http/request/query.ts"
import { deleted, ok, pageWith } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** Decisions D: a user's own profile. */
const clientUsers = [
  route("GET", "/client/users/me", {
    id: "client.users.me",
    summary: "Shows the caller's own profile with the entitlements",
    description: "What the app knows about the caller, with the entitlements that say what has been paid for.",
    access: "client",
    errors: [InvalidToken],
    returns: ok(OwnProfile),
    run: ({ core, caller }) => core.users.me(caller.project_id, caller.user_id),
  }),
  route("PATCH", "/client/users/me", {
    id: "client.users.updateMe",
    summary: "Changes the caller's own profile; properties are merged at the top level",
    description:
      "Only the keys that are sent change. `properties` are merged key by key at the top level, and null is kept as a value. A time zone is an IANA name such as `Europe/Berlin`; streaks go by it.",
    access: "client",
    body: ProfileChanges,
    errors: [ContentRejected, InvalidToken, InvalidTimezone, PropertiesTooLarge],
    returns: ok(OwnProfile),
    run: ({ core, caller, body }) => core.users.update(caller.project_id, caller.user_id, body),
  }),
  route("DELETE", "/client/users/me", {
    id: "client.users.deleteMe",
    summary: "Removes the caller with everything that is theirs",
    description:
      "Cannot be undone. Messages and content items stay without their author; everything else of the user goes.",
    access: "client",
    returns: deleted,
    run: ({ core, caller }) => core.users.remove(caller.project_id, caller.user_id),
  }),
]

/** Spec: admin plane, users. */
const adminUsers = [
  route("GET", "/admin/projects/:projectId/users", {
    id: "users.list",
    summary: "Lists the users with streaks and entitlements, the newest active first",
    description:
      "Narrow it with `search` (a part of the email, the external id or the name, or a whole id or anonymous id) or with `segment_id`, or ask for up to 100 users by their `ids`, with commas between: those that are not there are left out. Each user comes with streaks and entitlements, as support needs them. With `cursor=start`, and the `next_cursor` of each answer from then on, a long list is read to its end without gaps, whoever is seen meanwhile.",
    access: "developer",
    query: {
      ...paging(),
      search: Schema.optionalKey(text(0, 255)),
      segment_id: Schema.optionalKey(Uuid),
      ids: Schema.optionalKey(uuids(100)),
      cursor: Schema.optionalKey(Schema.Union([Schema.Literal("start"), UserCursor])),
    },
    malformed: { cursor: InvalidCursor },
    returns: pageWith(AdminUser, { next_cursor: Schema.optionalKey(Schema.NullOr(UserCursor)) }),
    fault: "LIST_FAILED",
    run: ({ core, params, query }) => core.users.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId", {
    id: "users.get",
    summary: "Shows a user with streaks and entitlements",
    description:
      "The whole view of one user: profile, properties, streaks, entitlements and whether sign-in is disabled.",
    access: "developer",
    errors: [NotFound],
    returns: ok(AdminUser),
    fault: "FETCH_FAILED",
    run: ({ core, params }) => core.users.get(params.projectId, params.userId),
  }),
  route("PATCH", "/admin/projects/:projectId/users/:userId", {
    id: "users.update",
    summary:
      "Changes a user; disabling ends all sessions at once, a new external_id looks up webhooks again that name it",
    description:
      "`external_id` is the id that your own systems or the subscription provider use for this user. A disabled user is signed out everywhere and cannot sign in.",
    access: "developer",
    body: AdminUserChanges,
    errors: [NotFound, InvalidTimezone, ExternalIdExists],
    returns: ok(AdminUser),
    fault: "UPDATE_FAILED",
    run: ({ core, params, body }) => core.users.change(params.projectId, params.userId, body),
  }),
  route("POST", "/admin/projects/:projectId/users/bulk-update", {
    id: "users.bulkUpdate",
    summary: "Merges properties into up to 1,000 users, adds them to segments and removes them, in one transaction",
    description:
      "Give up to 1,000 ids. Ids that are not there are named in `failed`, and the others are updated. Users added to a segment by hand stay in it whatever its rules say.",
    access: "developer",
    body: "json",
    bodyShape: BulkUpdateInput,
    bodyLimit: 2 * 1024 * 1024,
    invalid: InvalidBody,
    errors: [
      InvalidBody,
      MissingUserIds,
      InvalidUserIds,
      TooManyUsers,
      EmptyUpdates,
      InvalidUuid,
      NotFound,
      SystemSegment,
    ],
    returns: ok(BulkUpdated),
    fault: "BULK_UPDATE_FAILED",
    run: ({ core, params, body }) => core.users.bulkUpdate(params.projectId, body),
  }),
]

/** Users, as they see themselves and as developers see them. */
export const userRoutes = [...clientUsers, ...adminUsers]
