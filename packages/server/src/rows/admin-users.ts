import { AdminUser, NotFound } from "@hearth/core"
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
]
