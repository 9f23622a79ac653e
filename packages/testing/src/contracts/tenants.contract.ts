import type { TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { sessionsContract } from "../auth/sessions.contract.ts"
import { signInsContract } from "../auth/sign-ins.contract.ts"
import { deadLettersContract } from "../background/dead-letters.contract.ts"
import { outboxContract } from "../background/outbox.contract.ts"
import { entitlementsContract } from "../entitlements/entitlements.contract.ts"
import { eventsContract } from "../events/events.contract.ts"
import { eventsReadingContract } from "../events/read-events.contract.ts"
import { exportsContract } from "../exports/exports.contract.ts"
import { sectionsContract } from "../exports/sections.contract.ts"
import { segmentAgreementContract } from "../segments/agreement.contract.ts"
import { segmentMembersContract } from "../segments/members.contract.ts"
import { segmentRulesContract } from "../segments/rules.contract.ts"
import { segmentsContract } from "../segments/segments.contract.ts"
import { streakPeriodsContract } from "../streaks/periods.contract.ts"
import { userStreaksContract } from "../streaks/user-streaks.contract.ts"
import { activeUsersContract } from "../users/active-users.contract.ts"
import { userBatchesContract } from "../users/batches.contract.ts"
import { aUser } from "../users/builders.ts"
import { usersListingContract } from "../users/listing.contract.ts"
import { usersContract } from "../users/users.contract.ts"
import { type TenantsHarness, tenantDatabase } from "./database-under-test.ts"
import { featureTables } from "./feature-tables.ts"
import { isolationContract } from "./isolation.contract.ts"
import { tableContract } from "./table.contract.ts"
import { tenantTables } from "./tenant-tables.ts"
import { transactionsContract } from "./transactions.contract.ts"

const anOwner = (db: TenantDb) => {
  const user = aUser()
  return Effect.as(Effect.orDie(db.users.insert(user)), user.id)
}

/** What the databases of projects promise, all suites together. */
export const tenantsContract = (name: string, make: () => Promise<TenantsHarness>) =>
  describe(`tenants: ${name}`, () => {
    let harness: TenantsHarness
    beforeAll(async () => {
      harness = await make()
    })
    afterAll(() => harness?.close())
    const open = async () => tenantDatabase(harness.tenants, await harness.project())

    tableContract(open, tenantTables.users)
    tableContract(open, tenantTables.accountLinks)
    tableContract(open, tenantTables.magicLinks)
    tableContract(open, tenantTables.entitlements)
    tableContract(open, tenantTables.segments)
    tableContract(open, tenantTables.streakDefinitions)
    tableContract(open, tenantTables.userStreaks)
    tableContract(open, featureTables.achievements)
    tableContract(open, featureTables.userAchievements)
    tableContract(open, featureTables.leaderboards)
    tableContract(open, featureTables.leaderboardEntries)
    tableContract(open, featureTables.pushTokens)
    tableContract(open, tenantTables.families)
    tableContract(open, tenantTables.refreshTokens)
    transactionsContract(open, {
      table: (db) => db.users,
      row: aUser,
      unique: "anonymous_id",
      break: (db) => db.users.find({ email: "NUL \u0000" }),
    })
    sessionsContract(open, {
      sessions: (db) => db.sessions,
      owner: anOwner,
      removeOwner: (db, id) => db.users.remove({ id }),
    })
    signInsContract(open)
    usersContract(open)
    usersListingContract(open)
    userBatchesContract(open)
    entitlementsContract(open)
    segmentMembersContract(open)
    activeUsersContract(open)
    eventsContract(open)
    eventsReadingContract(open)
    exportsContract(open)
    sectionsContract(open)
    outboxContract(open)
    deadLettersContract(open)
    userStreaksContract(open)
    streakPeriodsContract(open)
    segmentsContract(open)
    segmentRulesContract(open)
    segmentAgreementContract(open)
    isolationContract(() => harness)
  })
