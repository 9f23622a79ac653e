import type { ProjectPage } from "./project-page.ts"

/** What the project is made of: streaks, segments, achievements, economy. */
export const definitionPages: ReadonlyArray<ProjectPage> = []
