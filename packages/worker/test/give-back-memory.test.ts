import { expect, it } from "vitest"
import { giveBackMemory } from "../src/give-back-memory.ts"

const heapBytes = () => process.memoryUsage().heapTotal

it("gives back what garbage has taken", () => {
  let held: Array<unknown> = Array.from({ length: 400_000 }, (_, n) => ({ n, text: `${n}` }))
  const before = heapBytes()
  expect(held).toHaveLength(400_000)
  held = []
  giveBackMemory()
  expect(heapBytes()).toBeLessThan(before - 10 * 2 ** 20)
})

it("leaves no collector behind for others", () => {
  giveBackMemory()
  expect(globalThis.gc).toBeUndefined()
})
