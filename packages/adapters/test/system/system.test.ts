import { clockContract, idsContract } from "@hearth/testing/contracts"
import { expect, it, vi } from "vitest"
import { systemClock, systemIds } from "../../src/system/index.ts"

idsContract("system", systemIds)

clockContract("system", () => {
  // The time of the machine, and nothing else of it.
  vi.useFakeTimers({ toFake: ["Date"] })
  return { clock: systemClock, set: (instant) => void vi.setSystemTime(instant), close: () => void vi.useRealTimers() }
})

it("answers the time of the machine", () => {
  const before = Date.now()
  const now = systemClock.now().getTime()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})

it("does not repeat the random part of a uuid in another process", () => {
  const clock = { now: () => new Date("2026-03-01T12:00:00.000Z") }
  const tails = Array.from({ length: 1_000 }, () => systemIds(clock).uuid().slice(19))
  expect(new Set(tails).size).toBe(1_000)
})
