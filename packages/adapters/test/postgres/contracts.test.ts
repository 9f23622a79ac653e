import { controlPlaneContract, tenantsContract } from "@hearth/testing/contracts"
import { forbidConnections, terminateConnections } from "./revocations/listeners.ts"
import { testServer } from "./server.ts"

controlPlaneContract("postgres", async () => {
  const server = testServer()
  const { control } = await server.open()
  return {
    control,
    unreachable: async (isUnreachable) => {
      await forbidConnections(server, isUnreachable)
      if (isUnreachable) await terminateConnections(server)
    },
    close: server.close,
  }
})

tenantsContract("postgres", async () => {
  const server = testServer()
  const postgres = await server.open()
  return { tenants: postgres.tenants, project: () => server.project(postgres), close: server.close }
})
