import { lazy } from "solid-js"
import type { ProjectPage } from "./project-page.ts"

/** How the project does, and who its users are. */
export const lookPages: ReadonlyArray<ProjectPage> = [
  {
    path: "overview",
    title: "Overview",
    section: "Look",
    component: lazy(() => import("./overview/overview.tsx")),
  },
  { path: "events", title: "Events", section: "Look", component: lazy(() => import("./events/events.tsx")) },
  { path: "users", title: "Users", section: "Look", component: lazy(() => import("./users/users.tsx")) },
  { path: "users/:userId", component: lazy(() => import("./users/user.tsx")) },
]
