import type { Component } from "solid-js"

/** The sections of the menu, in this order. */
export const sections = ["Look", "Definitions", "Content", "Work", "Project"] as const

/** A page of a project. */
export interface ProjectPage {
  /** Under `/projects/:projectId/`. */
  readonly path: string
  /** Made with `lazy`: a page is loaded when it is opened. */
  readonly component: Component
  /** Its name in the menu; pages that others lead to have none. */
  readonly title?: string
  readonly section?: (typeof sections)[number]
}
