import type { ControlDb } from "@hearth/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { sessionsContract } from "../auth/sessions.contract.ts"
import { jobsContract } from "../background/jobs.contract.ts"
import { aDeveloper } from "../projects/builders.ts"
import { projectsContract } from "../projects/projects.contract.ts"
import { controlTables } from "./control-tables.ts"
import { type ControlPlaneHarness, controlDatabase } from "./database-under-test.ts"
import { tableContract } from "./table.contract.ts"
import { transactionsContract } from "./transactions.contract.ts"

const anOwner = (db: ControlDb) => {
  const developer = aDeveloper()
  return Effect.as(Effect.orDie(db.developers.insert(developer)), developer.id)
}

/** What every control plane promises. `make` answers one that nobody else uses: the suite empties its tables. */
export const controlPlaneContract = (name: string, make: () => Promise<ControlPlaneHarness>) =>
  describe(`control plane: ${name}`, () => {
    let harness: ControlPlaneHarness
    beforeAll(async () => {
      harness = await make()
    })
    afterAll(() => harness?.close())
    const open = async () => controlDatabase(harness.control)

    tableContract(open, controlTables.developers)
    tableContract(open, controlTables.projects)
    tableContract(open, controlTables.members)
    tableContract(open, controlTables.apiKeys)
    tableContract(open, controlTables.families)
    tableContract(open, controlTables.refreshTokens)
    transactionsContract(open, {
      table: (db) => db.developers,
      row: aDeveloper,
      unique: "email",
      break: (db) => db.developers.find({ email: "NUL \u0000" }),
    })
    sessionsContract(open, {
      sessions: (db) => db.sessions,
      owner: anOwner,
      removeOwner: (db, id) => db.developers.remove({ id }),
    })
    projectsContract(open)
    jobsContract(open)
  })
