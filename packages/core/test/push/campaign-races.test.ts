import { campaignRaces } from "@hearth/testing/contracts"
import { pushWorld } from "./world.ts"

campaignRaces(
  "in memory",
  async () => {
    const { world, gateway, projectId, transact } = await pushWorld()
    return {
      ...{ gateway, projectId, transact, run: world.run, newId: () => world.ports.ids.uuid() },
      processes: [world.core, world.otherProcess()],
      now: () => world.clock.now(),
      close: async () => {},
    }
  },
  200,
)
