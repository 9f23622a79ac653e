import { revocationsContract } from "@hearth/testing/contracts"
import { memoryRevocations } from "../src/memory/revocations.ts"

revocationsContract("memory", async () => {
  const one = memoryRevocations()
  const other = one.otherProcess()
  return {
    processes: [one, other],
    cut: async () => other.makeDeaf(true),
    heal: async () => other.makeDeaf(false),
    close: async () => {},
  }
})
