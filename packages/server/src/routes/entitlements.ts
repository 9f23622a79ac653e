import { NotFound } from "@hearth/core"
import { Entitlement, EntitlementGrant } from "@hearth/core/entitlements"
import { upserted } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** Spec: admin plane, users: entitlements. */
export const entitlementRoutes = [
  route("POST", "/admin/projects/:projectId/users/:userId/entitlements", {
    id: "users.entitlements.grant",
    summary: "Grants an entitlement to a user, or refreshes it",
    description:
      "For goodwill and tests. What is granted by hand stands beside what the subscription provider says. `is_active: false` denies it. Keys that are left out keep their value and null clears them.",
    access: "developer",
    body: EntitlementGrant,
    errors: [NotFound],
    returns: upserted(Entitlement),
    run: ({ core, params, body }) => core.entitlements.grant(params.projectId, params.userId, body),
  }),
]
