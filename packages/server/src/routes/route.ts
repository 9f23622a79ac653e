import type { Engagement } from "@hearth/core"
import { defineRoutes } from "../http/routing/route.ts"

/** Defines a route of Hearth: `route("POST", "/admin/projects/:projectId/streaks", { id: "streaks.create", … })`. Paths are relative to `/v1`, or to the root where it says so. */
export const route = defineRoutes<Engagement>()
