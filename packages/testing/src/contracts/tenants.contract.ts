import { afterAll, beforeAll, describe } from "vitest"
import { type TenantsHarness, tenantDatabase } from "./database-under-test.ts"
import { interleavingContract } from "./interleaving.contract.ts"
import { isolationContract } from "./isolation.contract.ts"
import { tenantSuites } from "./suites.ts"

/** What the databases of projects promise: the suites of all features. */
export const tenantsContract = (name: string, make: () => Promise<TenantsHarness>) =>
  describe(`tenants: ${name}`, () => {
    let harness: TenantsHarness
    beforeAll(async () => {
      harness = await make()
    })
    afterAll(() => harness?.close())
    const open = async () => tenantDatabase(harness.tenants, await harness.project())

    for (const contract of tenantSuites) contract(open)
    interleavingContract(() => harness)
    isolationContract(() => harness)
  })
