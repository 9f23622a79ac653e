import type { ProjectPage } from "./project-page.ts"

/** What users see and make: libraries, feeds, groups, media, links. */
export const contentPages: ReadonlyArray<ProjectPage> = []
