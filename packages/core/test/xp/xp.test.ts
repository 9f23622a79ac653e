import type { XpPosition } from "@hearth/core/xp"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { lesson, xpWorld } from "./world.ts"

const nobody = "00000000-0000-4000-8000-000000000000"
const levels = [
  { name: "Bronze", xp_required: 100 },
  { name: "Silver", xp_required: 200 },
]

describe("XP by hand", () => {
  it("is given, and told of now [G2.3, G2.4]", async () => {
    const { award, levels: replace, own, told, world } = await xpWorld()
    await replace(...levels)
    expect(await award(150, "for the outage")).toEqual({ total: 150, awarded: 150 })
    expect(await own()).toEqual({ total: 150, level: levels[0], next_level: levels[1] })
    const now = world.clock.now()
    const properties = { amount: 150, source: "admin", reference_id: "for the outage", total: 150 }
    expect(await told("xp_awarded")).toMatchObject([{ occurred_at: now, properties }])
    expect(await told("level_reached")).toMatchObject([{ occurred_at: now, properties: levels[0] }])
  })

  it("is taken silently, and cut at 0 [G2.3]", async () => {
    const { award, levels: replace, ofUser, told } = await xpWorld()
    await replace(...levels)
    await award(120)
    expect(await award(-20, "mistake")).toEqual({ total: 100, awarded: -20 })
    expect(await award(-1_000_000_000)).toEqual({ total: 0, awarded: -100 })
    expect(await award(-1)).toEqual({ total: 0, awarded: 0 })
    expect(await told("xp_awarded")).toHaveLength(1)
    const { entries } = await ofUser()
    expect(entries.map(({ amount, reference_id }) => [amount, reference_id])).toEqual([
      [-100, null],
      [-20, "mistake"],
      [120, null],
    ])
  })

  it("has a ledger that is read to its end, whatever is given meanwhile", async () => {
    const { award, ofUser, projectId, userId, world } = await xpWorld()
    for (let amount = 1; amount <= 103; amount += 1) await award(amount)
    const read = (cursor: XpPosition | "start") => world.run(world.core.xp.ofUser(projectId, userId, { cursor }))
    const first = await read("start")
    expect(first).toMatchObject({ ...(await ofUser()), next_cursor: { id: first.entries[49]?.id } })
    expect(await ofUser()).not.toHaveProperty("next_cursor")
    await award(1_000)
    const second = await read(first.next_cursor ?? "start")
    const third = await read(second.next_cursor ?? "start")
    const all = [first, second, third].flatMap(({ entries }) => entries.map(({ amount }) => amount))
    expect(all).toEqual(Array.from({ length: 103 }, (_, n) => 103 - n))
    expect([third.next_cursor, third.total]).toEqual([null, 103 * 52 + 1_000])
  })

  it("tells no level twice, also after XP was taken: only what lies above the highest total [G2.3]", async () => {
    const { award, levels: replace, told } = await xpWorld()
    await replace(...levels)
    await award(150)
    await award(-150)
    await award(199)
    expect((await told("level_reached")).map(({ properties }) => properties)).toEqual([levels[0]])
    await award(1)
    expect((await told("level_reached")).map(({ properties }) => properties)).toEqual(levels)
  })

  it("tells of levels that change by their numbers: none at or below the highest total [G2.3]", async () => {
    const { award, levels: replace, own, told } = await xpWorld()
    await replace(...levels)
    await award(150)
    await replace({ name: "Copper", xp_required: 50 }, { name: "Bronze", xp_required: 160 })
    expect(await own()).toMatchObject({ level: { name: "Copper" }, next_level: { name: "Bronze" } })
    await award(5)
    expect(await told("level_reached")).toHaveLength(1)
    await award(5)
    expect((await told("level_reached")).map(({ properties }) => properties)).toEqual([
      levels[0],
      { name: "Bronze", xp_required: 160 },
    ])
  })

  it.each([undefined, null, 0, -0, 0.5, 1_000_000_001, -1_000_000_001, "10", Number.NaN, [10]])(
    "refuses an amount of %o [G2.3]",
    async (amount) => {
      const { own, refusal } = await xpWorld()
      expect(await refusal(amount)).toBe("INVALID_AMOUNT")
      expect((await own()).total).toBe(0)
    },
  )

  it("takes the largest amounts, and holds totals beyond 31 bits exactly [G2.3]", async () => {
    const { award, own } = await xpWorld()
    for (let time = 0; time < 3; time += 1) await award(1_000_000_000)
    expect(await award(-1)).toEqual({ total: 2_999_999_999, awarded: -1 })
    expect((await own()).total).toBe(2_999_999_999)
  })

  it("checks the amount before the user [G4.3]", async () => {
    const { refusal } = await xpWorld()
    expect(await refusal(0, nobody)).toBe("INVALID_AMOUNT")
    expect(await refusal(1, nobody)).toBe("USER_NOT_FOUND")
  })

  it("is given once by key, and answered as the first time [G2.4, G4.2]", async () => {
    const { award, own, refusal, told, userId } = await xpWorld()
    expect(await award(10, "a", "key")).toEqual({ total: 10, awarded: 10 })
    await award(5)
    expect(await award(10, "a", "key")).toEqual({ total: 10, awarded: 10 })
    expect(await refusal(11, userId, "key")).toBe("IDEMPOTENCY_KEY_REUSED")
    expect(await refusal(10, userId, "key")).toBe("IDEMPOTENCY_KEY_REUSED")
    expect((await own()).total).toBe(15)
    expect(await told("xp_awarded")).toHaveLength(2)
    // What was refused is not kept.
    expect(await refusal(0, userId, "other")).toBe("INVALID_AMOUNT")
    expect(await refusal(7, nobody, "other")).toBe("USER_NOT_FOUND")
    expect(await award(7, undefined, "other")).toEqual({ total: 22, awarded: 7 })
  })

  it("of several calls at once all count, and of those with one key one [G2.3]", async () => {
    const { award, ofUser, own } = await xpWorld()
    await Promise.all([...Array(5).fill(1), -2, -2].map((amount) => award(amount)))
    const { entries, total } = await ofUser()
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(total)
    const before = (await own()).total
    await Promise.all(Array.from({ length: 4 }, () => award(100, "again", "once")))
    expect((await own()).total).toBe(before + 100)
  })
})

describe("the XP of a user", () => {
  it("is 0 without entries, and without levels there are none [G2.4]", async () => {
    const { ofUser, own } = await xpWorld()
    const nothing = { total: 0, level: null, next_level: null }
    expect(await own()).toEqual(nothing)
    expect(await ofUser()).toEqual({ ...nothing, entries: [] })
  })

  it("shows a level at 0 to everybody, which is never told [G2.2, G2.4]", async () => {
    const { award, levels: replace, own, told } = await xpWorld()
    const start = { name: "Start", xp_required: 0 }
    await replace(start, ...levels)
    expect(await own()).toEqual({ total: 0, level: start, next_level: levels[0] })
    await award(1)
    expect(await told("level_reached")).toEqual([])
  })

  it("has the newest 50 entries for developers [G2.4]", async () => {
    const { award, ofUser, world } = await xpWorld()
    for (let amount = 1; amount <= 51; amount += 1) {
      await award(amount)
      world.clock.advance("1 second")
    }
    const { entries, total } = await ofUser()
    expect(total).toBe((51 * 52) / 2)
    expect(entries.map(({ amount }) => amount)).toEqual(Array.from({ length: 50 }, (_, at) => 51 - at))
  })

  it("is nobody's where the user is not there [G2.4]", async () => {
    const { projectId, world } = await xpWorld()
    const { own, ofUser } = world.core.xp
    expect(await world.run(Effect.flip(ofUser(projectId, nobody)))).toMatchObject({ code: "USER_NOT_FOUND" })
    expect(await world.run(Effect.flip(own(projectId, nobody)))).toMatchObject({ code: "INVALID_TOKEN" })
  })

  it("goes with the user", async () => {
    const { award, handle, ofUser, projectId, rules, userId, world } = await xpWorld()
    await rules(lesson)
    await handle("lesson", "2026-03-01T12:00:00.000Z")
    await award(10, undefined, "key")
    await world.run(world.core.users.remove(projectId, userId))
    await expect(ofUser()).rejects.toThrow()
    const rows = await world.run(
      world.tenants.read(projectId, (db) => Effect.all([db.xpEntries.list({}, []), db.xpTotals.find(userId)])),
    )
    expect(rows).toEqual([[], { app_user_id: userId, total: 0, highest_total: 0 }])
  })
})
