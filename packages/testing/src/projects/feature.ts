import type { ProjectsDb } from "@hearth/core/projects"
import { memorySessionStore } from "../auth/memory-sessions.ts"
import type { ControlFeature } from "../feature.ts"
import { instant, keepList, slice, text, uuid } from "../memory/arguments.ts"
import { memoryTable } from "../memory/table.ts"
import {
  apiKeyShape,
  developerSessionShapes,
  developerShape,
  memberShape,
  memoryApiKeys,
  memoryMembers,
  memoryProjects,
  projectShape,
} from "./memory.ts"

/** Projects and their developers in tests: tables and repositories in memory. */
export const projectsFeature: ControlFeature<ProjectsDb> = {
  control: {
    shapes: [
      developerShape,
      projectShape,
      memberShape,
      apiKeyShape,
      developerSessionShapes.families,
      developerSessionShapes.refreshTokens,
    ],
    rules: {
      sessions: { families: { listLive: [uuid, instant], revokeAll: [uuid, instant] } },
      projects: { pageOfMember: [uuid, slice] },
      members: {
        pageOfProject: [uuid, slice],
        roleOf: [uuid, uuid],
        lockRole: [uuid, uuid],
        lockRoles: [uuid, keepList(uuid)],
      },
      apiKeys: { projectOf: [text] },
    },
    make: ({ statements }) => ({
      developers: memoryTable(statements, developerShape),
      sessions: memorySessionStore(statements, developerSessionShapes),
      projects: memoryProjects(statements),
      members: memoryMembers(statements),
      apiKeys: memoryApiKeys(statements),
    }),
  },
}
