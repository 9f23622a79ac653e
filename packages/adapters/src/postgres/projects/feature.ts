import type { ProjectsDb } from "@hearth/core/projects"
import { makeSessions } from "../auth/sessions.ts"
import type { ControlFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { ApiKey, Developer, DeveloperRefreshToken, DeveloperSessionFamily, Member, Project } from "./entities.ts"
import { makeApiKeys, makeMembers, makeProjects } from "./projects.ts"
import { appEventRules, projectLimits, revocationTriggers } from "./steps.ts"

/** Projects, and the developers who work on them, in PostgreSQL: tables and repositories. */
export const projectsFeature: ControlFeature<ProjectsDb> = {
  control: {
    entities: [Developer, DeveloperSessionFamily, DeveloperRefreshToken, Project, Member, ApiKey],
    steps: [revocationTriggers, appEventRules, projectLimits],
    repositories: {
      developers: (statements, shapes) => makeTable(statements, shapes(Developer)),
      sessions: (statements, shapes) =>
        makeSessions(statements, {
          SessionFamily: shapes(DeveloperSessionFamily),
          RefreshToken: shapes(DeveloperRefreshToken),
        }),
      projects: (statements, shapes) => makeProjects(statements, shapes(Project)),
      members: (statements, shapes) => makeMembers(statements, shapes(Member)),
      apiKeys: (statements, shapes) => makeApiKeys(statements, shapes(ApiKey)),
    },
  },
}
