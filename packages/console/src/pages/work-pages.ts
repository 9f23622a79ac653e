import type { ProjectPage } from "./project-page.ts"

/** What waits for somebody: moderation, webhooks, campaigns. */
export const workPages: ReadonlyArray<ProjectPage> = []
