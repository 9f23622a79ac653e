import {
  AdminUser,
  AdminUserChanges,
  BulkUpdated,
  BulkUpdateInput,
  EmptyUpdates,
  Entitlement,
  EntitlementGrant,
  InvalidBody,
  InvalidUserIds,
  InvalidUuid,
  MissingUserIds,
  NotFound,
  SystemSegment,
  TooManyUsers,
  text,
  Uuid,
} from "@hearth/core"
import { Schema } from "effect"
import { paging } from "../http/request/query.ts"
import { listOf, ok, upserted } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** Spec: admin plane, users. */
export const adminUsers = [
  route("GET", "/admin/projects/:projectId/users", {
    summary: "Lists the users with streaks and entitlements, the newest active first",
    access: "developer",
    query: { ...paging(), search: Schema.optionalKey(text(0, 255)), segment_id: Schema.optionalKey(Uuid) },
    returns: listOf(AdminUser),
    fault: "LIST_FAILED",
    run: ({ core, params, query }) => core.users.list(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId", {
    summary: "Shows a user with streaks and entitlements",
    access: "developer",
    errors: [NotFound],
    returns: ok(AdminUser),
    fault: "FETCH_FAILED",
    run: ({ core, params }) => core.users.get(params.projectId, params.userId),
  }),
  route("PATCH", "/admin/projects/:projectId/users/:userId", {
    summary: "Disables a user, which ends all sessions within ten seconds, or enables one again",
    access: "developer",
    body: AdminUserChanges,
    errors: [NotFound],
    returns: ok(AdminUser),
    fault: "UPDATE_FAILED",
    run: ({ core, params, body }) => core.users.change(params.projectId, params.userId, body),
  }),
  route("POST", "/admin/projects/:projectId/users/bulk-update", {
    summary: "Merges properties into up to 1,000 users, adds them to segments and removes them, in one transaction",
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
  route("POST", "/admin/projects/:projectId/users/:userId/entitlements", {
    summary: "Grants an entitlement to a user, or refreshes it",
    access: "developer",
    body: EntitlementGrant,
    errors: [NotFound],
    returns: upserted(Entitlement),
    run: ({ core, params, body }) => core.entitlements.grant(params.projectId, params.userId, body),
  }),
]
