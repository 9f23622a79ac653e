import { describe, expect, it, test } from "vitest"
import { streakWorld } from "./world.ts"

describe("late events [E2]", () => {
  it("fill a gap and return the freeze that covered it", async () => {
    const { lessons, shown, history } = await streakWorld({ freeze_enabled: true, max_freezes: 1 })
    await lessons("2026-02-26", "2026-02-28", "2026-03-01")
    expect([await shown(), await history()]).toEqual(["active 3 (0)", "xfxx"])
    await lessons("2026-02-27")
    expect([await shown(), await history()]).toEqual(["active 4 (1)", "xxxx"])
  })

  it("join two runs", async () => {
    const { lessons, shown, own } = await streakWorld()
    await lessons("2026-02-25", "2026-02-26", "2026-02-28", "2026-03-01")
    expect(await shown()).toBe("active 2 (0)")
    await lessons("2026-02-27")
    expect(await own()).toMatchObject({ current_count: 5, longest_count: 5 })
  })

  it("add days before the first", async () => {
    const { lessons, history, own } = await streakWorld()
    await lessons("2026-03-01")
    await lessons("2026-02-27", "2026-02-28")
    expect(await history()).toBe("xxx")
    expect(await own()).toMatchObject({ current_count: 3, last_event_at: new Date("2026-03-01T12:00:00.000Z") })
  })

  it("restore a streak that a poll had marked as broken", async () => {
    const { world, qualify, lessons, shown } = await streakWorld()
    await qualify()
    await world.advance("37 hours")
    expect(await shown()).toBe("broken 0 (0)")
    await lessons("2026-03-02")
    expect(await shown()).toBe("active 2 (0)")
  })

  it("do not restore a streak that broke again after them", async () => {
    const { world, qualify, lessons, shown, own } = await streakWorld()
    await qualify()
    await world.advance("4 days")
    await lessons("2026-03-02")
    expect(await shown()).toBe("broken 0 (0)")
    expect(await own()).toMatchObject({ longest_count: 2, last_period: "2026-03-02" })
  })

  it("do not lower the longest, even where they move an earned freeze", async () => {
    const rules = { freeze_enabled: true, max_freezes: 1, freezes_per_n_events: 2 }
    const { lessons, own } = await streakWorld(rules)
    await lessons("2026-02-24", "2026-02-25", "2026-02-27", "2026-02-28", "2026-03-01")
    const before = await own()
    await lessons("2026-02-23")
    expect((await own()).longest_count).toBeGreaterThanOrEqual(before.longest_count)
  })

  it("take a freeze from later days, and leave the record that these made", async () => {
    const rules = { freeze_enabled: true, max_freezes: 1 }
    const [late, inOrder] = [await streakWorld(rules), await streakWorld(rules)]
    await late.lessons("2026-02-26", "2026-02-28")
    expect(await late.own()).toMatchObject({ current_count: 2, longest_count: 2 })
    await late.lessons("2026-02-23")
    await inOrder.lessons("2026-02-23", "2026-02-26", "2026-02-28")
    const { longest_count, ...end } = await late.own()
    expect(longest_count).toBe(2)
    const { current_count, freezes_remaining, periods } = await inOrder.own()
    expect([end.current_count, end.freezes_remaining, end.periods]).toEqual([1, 0, periods])
    expect([current_count, freezes_remaining, (await inOrder.own()).longest_count]).toEqual([1, 0, 1])
  })

  it("change nothing when they repeat a day", async () => {
    const { lessons, stored } = await streakWorld()
    await lessons("2026-02-27", "2026-02-28", "2026-03-01")
    const before = await stored()
    await lessons("2026-02-27T23:00:00Z", "2026-02-28T01:00:00Z")
    expect(await stored()).toEqual(before)
  })

  it("count by the days of the user's zone", async () => {
    const { lessons, history } = await streakWorld({}, { timezone: "America/Chicago" })
    await lessons("2026-03-01T06:00:00Z")
    await lessons("2026-02-28T05:59:59Z", "2026-02-28T06:00:00Z")
    expect(await history()).toBe("xxx")
  })

  test.each([
    ["together with a late one", ["2026-02-26", "2026-03-01T18:00:00Z"]],
    ["alone", ["2026-03-01T18:00:00Z"]],
  ])("repeat the last day where the user has flown west, %s", async (_, instants) => {
    const { world, lessons, moveTo, own } = await streakWorld({}, { timezone: "Asia/Tokyo" })
    await world.advance("6 hours")
    await lessons("2026-03-01T17:00:00Z")
    await moveTo("America/Los_Angeles")
    await lessons(...instants)
    expect(await own()).toMatchObject({ current_count: 1, last_period: "2026-03-02" })
  })
})

describe("late events after a change of zone [E2]", () => {
  const east = async (rules: Parameters<typeof streakWorld>[0] = {}) => {
    const streak = await streakWorld(rules, { startAt: "2026-11-26T21:00:00.000Z", timezone: "UTC" })
    await streak.lessons("2026-11-26T20:00:00Z")
    await streak.moveTo("Asia/Tokyo")
    await streak.world.advance("2 days")
    const keys = async () =>
      (await streak.own()).periods.flatMap(({ status, period_start }) => (status === "done" ? [period_start] : []))
    return { ...streak, keys }
  }

  it("change nothing when they repeat a day that was done, and none that was done before is lost", async () => {
    const { lessons, own, keys } = await east()
    await lessons("2026-11-27T03:00:00Z", "2026-11-27T21:28:00Z")
    const before = await own()
    expect([before.current_count, await keys()]).toEqual([3, ["2026-11-28", "2026-11-27", "2026-11-26"]])
    await lessons("2026-11-26T16:00:00Z")
    expect(await own()).toEqual(before)
  })

  it.each([
    [["2026-11-26T16:00:00Z"]],
    [["2026-11-26T10:00:00Z", "2026-11-26T16:00:00Z"]],
    [["2026-11-26T17:00:00Z", "2026-11-26T16:00:00Z"]],
  ])("count for their day, and the day that was done before stays: %j", async (late) => {
    const { lessons, own, keys } = await east()
    await lessons("2026-11-27T21:28:00Z")
    for (const instant of late) await lessons(instant)
    expect([(await own()).current_count, await keys()]).toEqual([3, ["2026-11-28", "2026-11-27", "2026-11-26"]])
  })

  it("stay counted when the rules change and change back", async () => {
    const { lessons, own, keys, update, runPending } = await east()
    await lessons("2026-11-27T21:28:00Z")
    await lessons("2026-11-26T16:00:00Z")
    for (const period of ["weekly", "daily"] as const) {
      await update({ period })
      await runPending()
    }
    expect([(await own()).current_count, await keys()]).toEqual([3, ["2026-11-28", "2026-11-27", "2026-11-26"]])
  })
})

describe("late events and grace [E2]", () => {
  it("free an event that counted in grace for a day that turns out to be done", async () => {
    const { lessons, history, own } = await streakWorld({ grace_period_hours: 6 })
    await lessons("2026-02-27", "2026-03-01T00:30:00Z")
    expect(await own()).toMatchObject({ current_count: 2, last_period: "2026-02-28" })
    await lessons("2026-02-28T22:00:00Z")
    expect(await own()).toMatchObject({ current_count: 3, last_period: "2026-03-01" })
    expect(await history()).toBe("xxx")
  })

  it("count for the day before when they came in its grace", async () => {
    const { lessons, history } = await streakWorld({ grace_period_hours: 6 })
    await lessons("2026-02-25", "2026-03-01")
    await lessons("2026-02-27T03:00:00Z", "2026-02-27T04:00:00Z")
    expect(await history()).toBe("xxx.x")
  })

  it("count for their own day when the run before is broken", async () => {
    const { lessons, history } = await streakWorld({ grace_period_hours: 6 })
    await lessons("2026-02-24", "2026-03-01")
    await lessons("2026-02-27T03:00:00Z")
    expect(await history()).toBe("x..x.x")
  })
})
