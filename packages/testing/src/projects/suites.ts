import { sessionsContract } from "../auth/sessions.contract.ts"
import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { transactionsContract } from "../contracts/transactions.contract.ts"
import { aDeveloper } from "./builders.ts"
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

/** What every adapter promises about projects. */
export const projectsSuites: FeatureSuites = {
  control: [
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
}
