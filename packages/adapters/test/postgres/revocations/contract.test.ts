import { revocationsContract } from "@hearth/testing/contracts"
import { expect } from "vitest"
import { testServer } from "../server.ts"
import { forbidConnections, terminateListeners } from "./listeners.ts"

revocationsContract("postgres", async () => {
  const server = testServer()
  const [one, other] = [await server.open(), await server.open()]
  return {
    processes: [one.revocations, other.revocations],
    cut: async () => {
      await forbidConnections(server, true)
      await terminateListeners(server)
      await expect.poll(other.revocations.isHearing, { interval: 5 }).toBe(false)
    },
    heal: async () => {
      await forbidConnections(server, false)
      await expect.poll(other.revocations.isHearing, { interval: 5 }).toBe(true)
      await expect.poll(one.revocations.isHearing, { interval: 5 }).toBe(true)
    },
    close: server.close,
  }
})
