import { expect, it } from "vitest"
import { measureAhead } from "../../src/composition/compare-clocks.ts"

const noon = Date.UTC(2026, 0, 1, 12)

/** A clock that is `ahead` of a database's, and round trips that take so long, one after the other. */
const clocks = (ahead: number, trips: ReadonlyArray<number> = [0]) => {
  let time = noon
  let asked = 0
  return {
    now: () => time + ahead,
    readDatabase: async () => {
      const half = (trips[asked] ?? 0) / 2
      asked += 1
      time += half
      const answer = time
      time += half
      return answer
    },
    asked: () => asked,
  }
}

it("compares with the middle of the round trip", async () => {
  const { now, readDatabase, asked } = clocks(-1_500, [4_000])
  expect([await measureAhead(readDatabase, now), asked()]).toEqual([-1_500, 1])
})

it("asks once more where the answer took more than five seconds, and takes the quicker one", async () => {
  for (const trips of [
    [60_000, 2],
    [6_000, 80_000],
  ]) {
    const { now, readDatabase, asked } = clocks(700, trips)
    expect([await measureAhead(readDatabase, now), asked()]).toEqual([700, 2])
  }
})

it("asks once more where the clock was set meanwhile", async () => {
  for (const step of [-3_600_000, 3_600_000]) {
    let set = 0
    const { now, readDatabase } = clocks(0)
    const setOnce = async () => {
      set = step
      return readDatabase()
    }
    expect(await measureAhead(setOnce, () => now() + set)).toBe(step)
  }
})
