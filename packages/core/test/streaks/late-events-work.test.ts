import { createEngagement, type Ports, type TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { days, streakWorld } from "./world.ts"

/** What was asked of a database: how often, and the most rows that one call was given or has answered. */
interface Work {
  statements: number
  most: number
}

const count = (rows: unknown): number => (Array.isArray(rows) ? rows.length : 0)

/** Counts what is asked of the repositories of streaks. */
const counting = (tenants: Ports["tenants"], work: Work): Ports["tenants"] => {
  const counted = <Repository extends object>(repository: Repository): Repository =>
    new Proxy(repository, {
      get: (target, name) => {
        const method = Reflect.get(target, name)
        if (typeof method !== "function") return method
        return (...given: ReadonlyArray<unknown>) => {
          work.statements += 1
          work.most = Math.max(work.most, ...given.map(count))
          return Effect.tap(method.apply(target, given) as Effect.Effect<unknown>, (answer) =>
            Effect.sync(() => {
              work.most = Math.max(work.most, count(answer))
            }),
          )
        }
      },
    })
  const watched = (db: TenantDb): TenantDb => ({
    ...db,
    userStreaks: counted(db.userStreaks),
    qualifyingEvents: counted(db.qualifyingEvents),
  })
  return { ...tenants, transact: (id, run) => tenants.transact(id, (db) => run(watched(db))) }
}

/** A world in which the work of each run of the background is known. */
const workWorld = async (...given: Parameters<typeof streakWorld>) => {
  const streak = await streakWorld(...given)
  const { world, projectId, userId } = streak
  const work: Work = { statements: 0, most: 0 }
  const { background } = createEngagement({ ...world.ports, tenants: counting(world.ports.tenants, work) })
  /** Ingests a lesson at noon of each day, and handles all of them in one batch. Answers the work. */
  const handle = async (...each: ReadonlyArray<string>) => {
    for (let from = 0; from < each.length; from += 500) {
      const events = each
        .slice(from, from + 500)
        .map((day) => ({ app_user_id: userId, event_name: "lesson", occurred_at: `${day}T12:00:00Z` }))
      await world.run(world.core.events.record(projectId, { events }))
    }
    Object.assign(work, { statements: 0, most: 0 })
    await world.run(background.process(projectId))
    return { ...work }
  }
  return { ...streak, handle }
}

describe("the work of late events", () => {
  it("is as many statements for 2,000 as for 20, with no more rows than there are events", async () => {
    const all = days("2020-01-01", 2_001).toReversed()
    const small = await workWorld({ grace_period_hours: 30, freeze_enabled: true })
    await small.handle(all[0] ?? "")
    const few = await small.handle(...all.slice(1, 21))
    const large = await workWorld({ grace_period_hours: 30, freeze_enabled: true })
    await large.handle(all[0] ?? "")
    const many = await large.handle(...all.slice(1))
    expect(many.statements).toBe(few.statements)
    // Each day once, the one that was there, and the freeze after it.
    expect([few.most, many.most]).toEqual([22, 2_002])
    expect((await large.own()).longest_count).toBe(2_001)
  })

  it("begins where the event is late, not at the beginning", async () => {
    const { handle, own } = await workWorld()
    const done = days("2024-01-01", 790).filter((day) => day !== "2026-02-26")
    await handle(...done)
    const work = await handle("2026-02-26")
    expect(work.most).toBeLessThan(5)
    expect(await own()).toMatchObject({ current_count: 790, longest_count: 790 })
  })

  it("is done in pieces where it is too much for one transaction", async () => {
    const { world, handle, own, stored, update, runPending } = await workWorld()
    const handled = () => world.signals.of("events_reacted").length
    // What introduces reactions is handled before.
    await runPending()
    const all = days("1990-01-01", 12_000)
    for (let from = 1; from < all.length; from += 2_000) await handle(...all.slice(from, from + 2_000))
    expect(await own()).toMatchObject({ longest_count: 11_999 })
    let before = handled()
    const work = await handle(all[0] ?? "")
    expect(work.most).toBeLessThanOrEqual(5_001)
    // The batch with the first 5,000, and two entries for the others.
    expect(handled() - before).toBe(3)
    const streak = await stored()
    expect(streak).toMatchObject({ current_count: 0, longest_count: 12_000, rebuild_from: null })
    const { periods } = await own()
    for (const period of ["weekly", "daily"] as const) {
      await update({ period })
      before = handled()
      await runPending()
      expect(handled() - before).toBe(3)
    }
    expect(await stored()).toEqual({ ...streak, updated_at: expect.any(Date) })
    expect((await own()).periods).toEqual(periods)
  })

  it("loses no day that was done before the user's zone changed, also where a piece ends there", async () => {
    const { world, projectId, userId, handle, lessons, moveTo, own, update, runPending } = await workWorld()
    const all = days("2010-01-01", 5_001)
    const done = () => world.run(world.tenants.read(projectId, (db) => db.userStreaks.recentPeriods(userId, 3)))
    for (let from = 0; from < 4_999; from += 1_000) await handle(...all.slice(from, Math.min(4_999, from + 1_000)))
    await lessons(`${all[4_999]}T20:00:00Z`)
    await world.advance("1 second")
    await moveTo("Asia/Tokyo")
    // The last of 5,000 instants, on the last day.
    await lessons(`${all[4_999]}T16:00:00Z`)
    expect(await own()).toMatchObject({ longest_count: 5_001 })
    const before = await done()
    for (const period of ["weekly", "daily"] as const) {
      await update({ period })
      await runPending()
    }
    expect(await done()).toEqual(before)
  })

  it("is done in few pieces also for who has 5,000 events within two days", async () => {
    const { world, lessons, stored, update, runPending } = await workWorld()
    const handled = () => world.signals.of("events_reacted").length
    // What introduces reactions is handled before.
    await runPending()
    const began = Date.parse("2026-02-20T00:00:00Z")
    // 5,000 of them take half an hour more than two days.
    const all = Array.from({ length: 12_000 }, (_, n) => new Date(began + n * 35_000).toISOString())
    for (let from = 0; from < all.length; from += 500) await lessons(...all.slice(from, from + 500))
    const streak = await stored()
    for (const period of ["weekly", "daily"] as const) {
      await update({ period })
      const before = handled()
      await runPending()
      expect(handled() - before).toBe(3)
    }
    expect(await stored()).toEqual({ ...streak, updated_at: expect.any(Date) })
  })

  it("leaves the rest to the background where a call qualifies, which shows what was until then", async () => {
    const { handle, stored, update, qualify, runPending } = await workWorld()
    const all = days("2000-01-01", 6_000)
    for (let from = 0; from < all.length; from += 2_000) await handle(...all.slice(from, from + 2_000))
    await update({ period: "weekly" })
    expect(await qualify()).toMatchObject({ current_count: 0, longest_count: 6_000 })
    expect((await stored())?.rebuild_from).not.toBeNull()
    expect(await qualify()).toMatchObject({ current_count: 1, longest_count: 6_000 })
    expect((await stored())?.rebuild_from).toBeNull()
    await update({ period: "daily" })
    await qualify()
    await runPending()
    expect(await stored()).toMatchObject({ current_count: 1, longest_count: 6_000, last_period: "2026-03-01" })
  })
})
