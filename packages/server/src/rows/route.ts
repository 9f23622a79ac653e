import type { Engagement } from "@hearth/core"
import { routeOver } from "../http/routing/route.ts"

/** The word for a row of Hearth: `route("POST", "/admin/projects/:projectId/streaks", { … })`. Paths are relative to `/v1`. */
export const route = routeOver<Engagement>()
