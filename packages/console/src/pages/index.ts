import { type Component, lazy } from "solid-js"

/** A page of a project. */
export interface ProjectPage {
  /** Under `/projects/:projectId/`. */
  readonly path: string
  readonly component: Component
  /** Its name in the menu; pages that others lead to have none. */
  readonly title?: string
  readonly section?: Section
}

/** The sections of the menu, in this order. */
export const sections = ["Look", "Definitions", "Work", "Project"] as const
type Section = (typeof sections)[number]

/** The pages of a project, in the order of the menu. Each is loaded when it is opened. */
export const projectPages: ReadonlyArray<ProjectPage> = [
  {
    path: "overview",
    title: "Overview",
    section: "Look",
    component: lazy(() => import("./overview/overview.tsx")),
  },
  { path: "start", component: lazy(() => import("./start/start.tsx")) },
  { path: "users", title: "Users", section: "Look", component: lazy(() => import("./users/users.tsx")) },
]
