import { NotFound } from "@hearth/core"
import { Entitlement, EntitlementGrant } from "@hearth/core/entitlements"
import { upserted } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** Spec: admin plane, users: entitlements. */
export const entitlementRoutes = [
  route("POST", "/admin/projects/:projectId/users/:userId/entitlements", {
    id: "users.entitlements.grant",
    summary: "Grants an entitlement to a user, or refreshes it",
    access: "developer",
    body: EntitlementGrant,
    errors: [NotFound],
    returns: upserted(Entitlement),
    run: ({ core, params, body }) => core.entitlements.grant(params.projectId, params.userId, body),
  }),
]
