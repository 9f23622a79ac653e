import { Effect } from "effect"
import { anId } from "../src/builders.ts"
import { newsContract } from "../src/contracts/news.contract.ts"
import { memoryNews } from "../src/memory/news.ts"
import { memoryTenants } from "../src/memory/tenants.ts"

newsContract("memory", async () => {
  const news = memoryNews()
  const tenants = memoryTenants({ onCommitted: news.tell })
  const project = async () => {
    const id = anId()
    await Effect.runPromise(tenants.create(id))
    return id
  }
  // In memory all processes have one set of databases, and hear at once of all that is committed there.
  const process = { news, tenants }
  return { processes: [process, process], project, close: async () => {} }
})
