import type { StreakPeriodRow, UserStreak } from "@hearth/core/streaks"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { streakWorld } from "./world.ts"

/** A world whose streak is as a release without the log of streaks has left it: periods without counts, and no rules. */
const earlierWorld = async (...given: Parameters<typeof streakWorld>) => {
  const streak = await streakWorld(...given)
  const { world, projectId, userId, definition } = streak
  const key = { app_user_id: userId, streak_definition_id: definition.id }
  const leave = (row: Partial<UserStreak>, periods: ReadonlyArray<readonly [day: string, at: string]>) =>
    world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.gen(function* () {
          const last = periods.at(-1)
          yield* db.userStreaks.save([
            {
              ...key,
              id: world.ports.ids.uuid(),
              current_count: periods.length,
              longest_count: periods.length,
              freezes_remaining: 0,
              status: "active",
              last_period: last?.[0] ?? null,
              settled_period: last?.[0] ?? null,
              last_event_at: last === undefined ? null : new Date(last[1]),
              last_done_at: null,
              last_done_zone: null,
              rules: "",
              rebuild_from: null,
              expires_at: null,
              updated_at: world.clock.now(),
              ...row,
            },
          ])
          const rows = periods.map(([period_key, at]): StreakPeriodRow => {
            const none = { count_after: null, freezes_after: null }
            return { ...key, period_key, kind: "done", occurred_at: new Date(at), ...none }
          })
          yield* db.userStreaks.addPeriods(rows)
        }),
      ),
    )
  return { ...streak, leave }
}

describe("a streak of an earlier release", () => {
  it("goes on with the next event", async () => {
    const { leave, qualify, history, stored } = await earlierWorld()
    await leave({}, [
      ["2026-02-27", "2026-02-27T12:00:00Z"],
      ["2026-02-28", "2026-02-28T12:00:00Z"],
    ])
    expect(await qualify()).toMatchObject({ current_count: 3, longest_count: 3 })
    expect(await history()).toBe("xxx")
    expect((await stored())?.rules).not.toBe("")
  })

  it("is given back after weekly and daily again, days that counted in another zone or in grace included", async () => {
    const { leave, moveTo, update, history, runPending } = await earlierWorld(
      { grace_period_hours: 6 },
      { timezone: "Asia/Tokyo" },
    )
    await leave({}, [
      ["2026-02-25", "2026-02-25T10:00:00Z"],
      ["2026-02-26", "2026-02-26T17:00:00Z"],
      ["2026-02-27", "2026-02-27T10:00:00Z"],
    ])
    await moveTo("America/Los_Angeles")
    await update({ period: "weekly" })
    await runPending()
    expect(await history()).toBe("x")
    await update({ period: "daily" })
    await runPending()
    expect(await history()).toBe("xxx??")
  })

  it("has a day for each of its weeks once it was touched", async () => {
    const { leave, qualify, update, own, runPending } = await earlierWorld({ period: "weekly" })
    await leave({}, [
      ["2026-02-16", "2026-02-18T12:00:00Z"],
      ["2026-02-23", "2026-02-28T12:00:00Z"],
    ])
    await qualify()
    await update({ period: "daily" })
    await runPending()
    const done = (await own()).periods.filter(({ status }) => status === "done")
    expect(done.map(({ period_start }) => period_start)).toEqual(["2026-03-01", "2026-02-28", "2026-02-18"])
  })

  it("expires in its time, with nobody asking for it", async () => {
    const { leave, world, stored, runPending } = await earlierWorld()
    await leave({ expires_at: new Date("2026-03-02T00:00:00.000Z") }, [["2026-02-28", "2026-02-28T12:00:00Z"]])
    world.clock.advance("2 days")
    await runPending()
    expect(await stored()).toMatchObject({ current_count: 0, status: "broken", expires_at: null, longest_count: 1 })
  })
})
