import { expect, it } from "vitest"
import { clockContract } from "../src/contracts/clock.contract.ts"
import { manualClock } from "../src/memory/clock.ts"
import { testWorld } from "../src/world.ts"

clockContract("manual", () => {
  const clock = manualClock()
  return { clock, set: clock.set }
})

it("stands still until it is moved", () => {
  const clock = manualClock("2026-03-01T12:00:00.000Z")
  clock.now().setFullYear(1999)
  expect(clock.now().toISOString()).toBe("2026-03-01T12:00:00.000Z")
  clock.advance("3 days")
  expect(clock.now().toISOString()).toBe("2026-03-04T12:00:00.000Z")
  clock.advance(250)
  expect(clock.now().toISOString()).toBe("2026-03-04T12:00:00.250Z")
  clock.set(new Date("2026-01-01T00:00:00.000Z"))
  expect(clock.now().toISOString()).toBe("2026-01-01T00:00:00.000Z")
  clock.set("2027-01-01")
  expect(clock.now().toISOString()).toBe("2027-01-01T00:00:00.000Z")
})

it("refuses instants that do not exist", () => {
  expect(() => manualClock("yesterday")).toThrow(RangeError)
  expect(() => manualClock().set(new Date("never"))).toThrow(RangeError)
  expect(() => manualClock().advance("Infinity")).toThrow(RangeError)
  expect(() => manualClock().advance(1e17)).toThrow(RangeError)
})

it.each(["1969-12-31T23:59:59.999Z", "+010000-01-01T00:00:00.000Z"])(
  "shows no instant that ids or stores cannot have: %s",
  (at) => {
    const years = "A clock can only show an instant of the years 1970 to 9999."
    expect(() => testWorld({ startAt: at })).toThrow(years)
    expect(() => testWorld().clock.set(new Date(at))).toThrow(years)
    expect(() => manualClock("9999-12-31T23:59:59.999Z").advance(1)).toThrow(years)
  },
)

it.each(["a while", Number.NaN, undefined, {}, { day: 1 }, new Date()])(
  "moves by a time that there is: not by %s",
  async (by) => {
    expect(() => manualClock().advance(by as never)).toThrow(/^A clock moves by a time like "3 days"/)
    await expect(testWorld().advance(by as never)).rejects.toThrow(/^A clock moves by a time like "3 days"/)
  },
)

it.each([
  [0.4, 0],
  [0.5, 1],
  ["500 micros", 1],
  [1000 / 3, 333],
  [2000 / 3, 667],
] as const)("moves by %s as by %i milliseconds, alone and in a world", async (by, millis) => {
  const clock = manualClock(new Date(0))
  clock.advance(by)
  const world = testWorld({ startAt: new Date(0) })
  await world.advance(by)
  expect([clock.now(), world.clock.now()]).toEqual([new Date(millis), new Date(millis)])
})

it.each(["-1 day", -1] as const)("moves back by %s, and a world does not", async (by) => {
  const clock = manualClock("2026-03-01T12:00:00.000Z")
  clock.advance(by)
  expect(clock.now() < new Date("2026-03-01T12:00:00.000Z")).toBe(true)
  await expect(testWorld().advance(by)).rejects.toThrow("A world moves forward")
})

it("a world takes no other clock than its own", () => {
  expect(() => testWorld({ ports: () => ({ clock: manualClock() }) })).toThrow("A world has a clock of its own")
})

it("a world is moved by one call at a time", async () => {
  const world = testWorld({ startAt: new Date(0) })
  const first = world.advance("1 day")
  await expect(world.advance("1 day")).rejects.toThrow("await advance")
  await first
  await world.advance("1 day")
  expect(world.clock.now()).toEqual(new Date(2 * 86_400_000))
})
