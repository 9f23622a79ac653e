import { AdminUser, AdminUserChanges, NotFound } from "@hearth/core"
import { ok } from "../http/answers.ts"
import { route } from "./route.ts"

/** Spec: admin plane, users. */
export const adminUsers = [
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
]
