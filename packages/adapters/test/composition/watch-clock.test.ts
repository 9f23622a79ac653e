import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { watchClock } from "../../src/composition/watch-clock.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A watch over two clocks that differ by `ahead`, which may be away. */
const watching = async (ahead = 0, away = false) => {
  const state = { ahead, away }
  const logged: Array<string> = []
  const watch = await watchClock(
    async () => {
      if (state.away) throw new Error("PostgreSQL is away")
      return Date.now()
    },
    (level, message) => logged.push(`${level} ${message}`),
    () => Date.now() + state.ahead,
  )
  return { state, logged, watch, minute: () => vi.advanceTimersByTimeAsync(60_000) }
}

it("says at once that they differ by more than 30 seconds", async () => {
  expect((await watching(30_000)).logged).toEqual([])
  expect((await watching(-31_000)).logged).toEqual([
    "warn The clock of this machine is 31 s behind PostgreSQL's: what is planned happens at the wrong time, until both follow a time server (NTP)",
  ])
})

it("takes the answer for one of the middle of the round trip", async () => {
  let time = 10_000
  const readDatabase = async () => {
    time += 4_000
    return 12_000
  }
  const watch = await watchClock(
    readDatabase,
    () => {},
    () => time,
  )
  expect(watch.aheadMillis()).toBe(0)
})

it("compares once a minute, and says once that they differ and once that they agree again", async () => {
  const { state, logged, watch, minute } = await watching(1_000)
  expect(watch.aheadMillis()).toBe(1_000)
  state.ahead = 45_000
  await minute()
  await minute()
  expect(watch.aheadMillis()).toBe(45_000)
  state.ahead = 30_000
  await minute()
  await minute()
  expect(watch.aheadMillis()).toBe(30_000)
  expect(logged.map((line) => line.slice(0, 47))).toEqual([
    "warn The clock of this machine is 45 s ahead of",
    "info The clock of this machine agrees with Post",
  ])
})

it("keeps what it knows while PostgreSQL is away, and goes on afterwards", async () => {
  const { state, logged, watch, minute } = await watching(0, true)
  expect(watch.aheadMillis()).toBeNaN()
  Object.assign(state, { ahead: 60_000 })
  await minute()
  expect(logged).toEqual([])
  state.away = false
  await minute()
  state.away = true
  await minute()
  expect([watch.aheadMillis(), logged.length]).toEqual([60_000, 1])
})

it("says nothing more once it is stopped", async () => {
  const { state, logged, watch, minute } = await watching()
  watch.stop()
  state.ahead = 60_000
  await minute()
  expect(logged).toEqual([])
})
