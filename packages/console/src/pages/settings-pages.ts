import { lazy } from "solid-js"
import type { ProjectPage } from "./project-page.ts"

/** The project itself: how it begins, who may do what, keys. */
export const settingsPages: ReadonlyArray<ProjectPage> = [
  { path: "start", title: "Get started", section: "Project", component: lazy(() => import("./start/start.tsx")) },
  { path: "members", title: "Members", section: "Project", component: lazy(() => import("./settings/members.tsx")) },
  { path: "keys", title: "Client keys", section: "Project", component: lazy(() => import("./settings/keys.tsx")) },
  {
    path: "refusals",
    title: "Refused calls",
    section: "Project",
    component: lazy(() => import("./settings/refused-calls.tsx")),
  },
]
