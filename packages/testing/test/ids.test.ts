import { expect, it } from "vitest"
import { idsContract } from "../src/contracts/ids.contract.ts"
import { manualClock } from "../src/memory/clock.ts"
import { memoryIds } from "../src/memory/ids.ts"

idsContract("memory", (clock) => memoryIds(clock))

it("gives the same ids for the same seed, and different ones for another", () => {
  const draw = (seed?: number) => {
    const ids = memoryIds(manualClock(), seed)
    return [ids.uuid(), ids.uuid(), ids.base62(32), ids.integer(1_000_000)]
  }
  expect(draw()).toEqual(draw())
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
})
