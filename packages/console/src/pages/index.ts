import { contentPages } from "./content-pages.ts"
import { definitionPages } from "./definition-pages.ts"
import { lookPages } from "./look-pages.ts"
import type { ProjectPage } from "./project-page.ts"
import { settingsPages } from "./settings-pages.ts"
import { workPages } from "./work-pages.ts"

/** The pages of a project, in the order of the menu. */
export const projectPages: ReadonlyArray<ProjectPage> = [
  ...lookPages,
  ...definitionPages,
  ...contentPages,
  ...workPages,
  ...settingsPages,
]
