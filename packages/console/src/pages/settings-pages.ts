import { lazy } from "solid-js"
import type { ProjectPage } from "./project-page.ts"

const integration = lazy(() => import("./settings/integration.tsx"))

/** The project itself: how it begins, who may do what, keys, integrations, settings. */
export const settingsPages: ReadonlyArray<ProjectPage> = [
  { path: "start", title: "Get started", section: "Project", component: lazy(() => import("./start/start.tsx")) },
  { path: "members", title: "Members", section: "Project", component: lazy(() => import("./settings/members.tsx")) },
  { path: "keys", title: "Client keys", section: "Project", component: lazy(() => import("./settings/keys.tsx")) },
  {
    path: "integrations",
    title: "Integrations",
    section: "Project",
    component: lazy(() => import("./settings/integrations.tsx")),
  },
  { path: "integrations/:provider", component: integration },
  {
    path: "refusals",
    title: "Refused calls",
    section: "Project",
    component: lazy(() => import("./settings/refused-calls.tsx")),
  },
  { path: "settings", title: "Settings", section: "Project", component: lazy(() => import("./settings/settings.tsx")) },
]
