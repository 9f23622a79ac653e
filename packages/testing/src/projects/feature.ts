import type { ProjectsDb } from "@hearth/core/projects"
import { memorySessionStore } from "../auth/memory-sessions.ts"
import { sessionsContract } from "../auth/sessions.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { transactionsContract } from "../contracts/transactions.contract.ts"
import type { ControlFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import { aDeveloper } from "./builders.ts"
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
import { projectsContract } from "./projects.contract.ts"
import {
  apiKeys,
  developerFamilies,
  developerRefreshTokens,
  developers,
  members,
  projects,
  writeDeveloper,
} from "./tables.ts"

/** Projects and their developers in tests: tables and repositories in memory, contract suites. */
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
    make: ({ statements }) => ({
      developers: memoryTable(statements, developerShape),
      sessions: memorySessionStore(statements, developerSessionShapes),
      projects: memoryProjects(statements),
      members: memoryMembers(statements),
      apiKeys: memoryApiKeys(statements),
    }),
    contracts: [
      (open) => tableContract(open, developers),
      (open) => tableContract(open, projects),
      (open) => tableContract(open, members),
      (open) => tableContract(open, apiKeys),
      (open) => tableContract(open, developerFamilies),
      (open) => tableContract(open, developerRefreshTokens),
      (open) =>
        transactionsContract(open, {
          table: (db) => db.developers,
          row: aDeveloper,
          unique: "email",
          break: (db) => db.developers.find({ email: "NUL \u0000" }),
        }),
      (open) =>
        sessionsContract(open, {
          sessions: (db) => db.sessions,
          owner: writeDeveloper,
          removeOwner: (db, id) => db.developers.remove({ id }),
        }),
      projectsContract,
    ],
  },
}
