import { campaignRaces } from "@hearth/testing/contracts"
import { Effect } from "effect"
import { memoryPorts, openNode } from "../nodes.ts"
import { ids, testServer } from "../server.ts"

campaignRaces(
  "on PostgreSQL",
  async () => {
    const server = testServer()
    const ports = memoryPorts()
    const nodes = [await openNode(server, { ports }), await openNode(server, { ports })] as const
    const projectId = await server.project(await server.open())
    const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
    return {
      ...{ gateway: ports.push, projectId, run, newId: () => ids.uuid(), now: () => new Date() },
      processes: [nodes[0].core, nodes[1].core],
      transact: (work) => run(nodes[0].tenants.transact(projectId, work)),
      close: () => server.close(),
    }
  },
  200,
)
