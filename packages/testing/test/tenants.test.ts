import { Effect } from "effect"
import { anId } from "../src/builders.ts"
import { tenantsContract } from "../src/contracts/tenants.contract.ts"
import { memoryTenants } from "../src/memory/tenants.ts"

tenantsContract("memory", async () => {
  const tenants = memoryTenants()
  const project = async () => {
    const id = anId()
    await Effect.runPromise(tenants.create(id))
    return id
  }
  return { tenants, project, close: async () => {} }
})
