import { describe, expect, it } from "vitest"
import { aStreakOf } from "../streaks/world.ts"
import { achievementWorld, wins } from "./world.ts"

describe("a user's own achievements [G1.5]", () => {
  it("are in order, with progress, the hidden and inactive ones only once unlocked", async () => {
    const { create, handle, own, unlock } = await achievementWorld()
    await create({
      key: "third",
      sort_order: 3,
      criteria: wins(4),
      description: "Four.",
      icon_url: "https://a.example/i.png",
      xp_reward: 7,
    })
    await create({ key: "first", sort_order: 1 })
    const hidden = await create({ key: "hidden", sort_order: 2, is_hidden: true, criteria: wins(9) })
    const inactive = await create({ key: "inactive", sort_order: 4, is_active: false, criteria: wins(9) })
    await handle("win")
    const [first, third, ...none] = await own()
    expect(none).toEqual([])
    expect(third).toMatchObject({
      ...{ key: "third", description: "Four.", icon_url: "https://a.example/i.png", xp_reward: 7, sort_order: 3 },
      ...{ unlocked_at: null, progress: { current: 1, target: 4 } },
    })
    expect(first).toMatchObject({ key: "first", unlocked_at: new Date("2026-03-01T12:00:00.000Z") })
    await unlock(hidden.id)
    await unlock(inactive.id)
    expect((await own()).map(({ key }) => key)).toEqual(["first", "hidden", "third", "inactive"])
  })

  it("show current = target once unlocked, whatever is counted now [G1.4]", async () => {
    const { create, handle, own, unlock, update } = await achievementWorld()
    const { id } = await create({ criteria: wins(5) })
    const either = await create({
      criteria: {
        any: [
          { event: "try", count: 4 },
          { event: "try", count: 2 },
        ],
      },
    })
    await handle("win")
    await handle("try")
    await unlock(id)
    await unlock(either.id)
    expect((await own()).map(({ progress }) => progress)).toEqual([
      { current: 5, target: 5 },
      { current: 2, target: 2 },
    ])
    await update(id, { criteria: wins(70) })
    expect((await own())[0]?.progress).toEqual({ current: 70, target: 70 })
  })

  it("are only their own", async () => {
    const { create, handle, own, newUser } = await achievementWorld()
    await create({ criteria: wins(2) })
    const another = await newUser()
    await handle("win", 1, another)
    expect((await own())[0]?.progress).toEqual({ current: 0, target: 2 })
  })

  it("show streaks as they are now, not as they are stored", async () => {
    const { world, projectId, create, handle, own } = await achievementWorld()
    const { id } = await world.run(world.core.streaks.create(projectId, aStreakOf({ qualifying_event: "win" })))
    await handle("win")
    await create({ criteria: { all: [{ field: `streaks.${id}.current_count`, op: "gte", value: 1 }] } })
    expect((await own())[0]?.progress).toEqual({ current: 1, target: 1 })
    world.clock.set(new Date("2026-03-05T12:00:00.000Z"))
    expect((await own())[0]?.progress).toEqual({ current: 0, target: 1 })
  })
})

describe("by hand [G1.6]", () => {
  it("an achievement is unlocked once, with its XP and its event", async () => {
    const { create, unlock, total, ledger, told, handle, ofUser } = await achievementWorld()
    const { id } = await create({ key: "held", xp_reward: 40, criteria: wins(3) })
    const first = await unlock(id)
    expect(first).toMatchObject({ created: true, row: { id, key: "held", progress: { current: 3, target: 3 } } })
    expect(await unlock(id)).toEqual({ created: false, row: first.row })
    await handle("win", 3)
    expect(await ofUser()).toEqual([first.row])
    expect(await total()).toBe(40)
    expect(await ledger()).toMatchObject([{ amount: 40, source: "achievement", reference_id: id, is_ranked: true }])
    expect(await told("achievement_unlocked")).toMatchObject([
      { properties: { achievement_id: id, key: "held", xp_reward: 40 } },
    ])
    expect(await told("xp_awarded")).toHaveLength(1)
  })

  it("is taken back with a compensating entry of the same instant; again by hand gives the XP again [G2.3]", async () => {
    const { world, create, unlock, revoke, total, ledger, told, unlocked } = await achievementWorld()
    const { id } = await create({ key: "held", xp_reward: 40 })
    await unlock(id)
    await world.clock.advance("1 day")
    await revoke(id)
    expect(await unlocked()).toEqual([])
    expect(await total()).toBe(0)
    await revoke(id)
    const occurred_at = new Date("2026-03-01T12:00:00.000Z")
    expect(await ledger()).toMatchObject([
      { amount: 40, occurred_at },
      { amount: -40, occurred_at, source: "achievement", reference_id: id },
    ])
    // A deduction writes no event.
    expect(await told("xp_awarded")).toHaveLength(1)
    expect(await unlock(id)).toMatchObject({ created: true })
    expect(await total()).toBe(40)
    expect(await told("achievement_unlocked")).toHaveLength(2)
  })

  it("is unlocked, taken back and unlocked again within one instant", async () => {
    const { create, unlock, revoke, total, ledger } = await achievementWorld()
    const { id } = await create({ xp_reward: 40 })
    for (let turn = 0; turn < 3; turn += 1) {
      await unlock(id)
      await revoke(id)
    }
    await unlock(id)
    expect(await total()).toBe(40)
    expect(await ledger()).toHaveLength(7)
  })

  it("takes back what was given, cut at 0, whatever the reward is now", async () => {
    const { world, projectId, userId, create, unlock, revoke, update, total, ledger } = await achievementWorld()
    const { id } = await create({ xp_reward: 40 })
    await unlock(id)
    await update(id, { xp_reward: 1_000 })
    await world.run(world.core.xp.award(projectId, userId, { amount: -15 }, null))
    await revoke(id)
    expect(await total()).toBe(0)
    expect((await ledger()).map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([-25, -15, 40])
  })

  it("unlocks what is inactive, and takes back nothing where nothing is held", async () => {
    const { create, unlock, revoke, unlocked, handle } = await achievementWorld()
    const { id } = await create({ key: "inactive", is_active: false })
    expect(await unlock(id)).toMatchObject({ created: true })
    const other = await create({ key: "other" })
    await revoke(other.id)
    await handle("win")
    expect(await unlocked()).toEqual(["inactive", "other"])
  })

  it("knows neither users nor achievements that are not there, users first", async () => {
    const { world, projectId, userId, create, refusal } = await achievementWorld()
    const { achievements } = world.core
    const { id } = await create()
    const none = world.ports.ids.uuid()
    expect(await refusal(achievements.listForUser(projectId, none))).toBe("USER_NOT_FOUND")
    for (const act of [achievements.unlock, achievements.revoke]) {
      expect(await refusal(act(projectId, none, id))).toBe("USER_NOT_FOUND")
      expect(await refusal(act(projectId, none, none))).toBe("USER_NOT_FOUND")
      expect(await refusal(act(projectId, userId, none))).toBe("NOT_FOUND")
    }
  })

  it("happens once at the same time as by events", async () => {
    const { create, record, process, unlock, told, total, unlocked } = await achievementWorld()
    const { id } = await create({ key: "raced", xp_reward: 10 })
    await record("win")
    await Promise.all([unlock(id), process(), unlock(id), process()])
    await process()
    expect(await unlocked()).toEqual(["raced"])
    expect(await total()).toBe(10)
    expect(await told("achievement_unlocked")).toHaveLength(1)
    expect(await told("xp_awarded")).toHaveLength(1)
  })

  it("lists all achievements with what the user has, for developers", async () => {
    const { create, handle, ofUser } = await achievementWorld()
    await create({ key: "b", sort_order: 2, is_hidden: true, criteria: wins(3) })
    const first = await create({ key: "a", sort_order: 1, is_active: false })
    await handle("win")
    expect(await ofUser()).toMatchObject([
      { ...first, unlocked_at: null, progress: { current: 1, target: 1 } },
      { key: "b", is_hidden: true, unlocked_at: null, progress: { current: 1, target: 3 } },
    ])
  })
})
