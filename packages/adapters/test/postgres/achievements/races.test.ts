import type { NewAchievement } from "@hearth/core/achievements"
import { Effect } from "effect"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { type StreakWorld, streakServer } from "../streaks/harness.ts"

const reward = 10
const given = (key: string, more: Partial<NewAchievement> = {}): NewAchievement => ({
  ...{ key, name: key, criteria: { all: [{ event: "lesson", count: 1 }] }, description: null, icon_url: null },
  ...{ xp_reward: reward, is_hidden: false, sort_order: 0, is_active: true },
  ...more,
})
const at = "2026-03-01T12:00:00Z"

describe("achievements against what happens at the same time", () => {
  const server = streakServer()
  let world: StreakWorld
  beforeEach(async () => {
    world = await server.world()
  })
  afterEach(async () => void (await world.close()))
  afterAll(server.close)

  const create = (key: string, more: Partial<NewAchievement> = {}) =>
    world.run(world.core.achievements.create(world.project, given(key, more)))
  const unlock = (user: string, id: string) => world.run(world.core.achievements.unlock(world.project, user, id))
  const revoke = (user: string, id: string) => world.run(world.core.achievements.revoke(world.project, user, id))

  /** What is stored about a user: unlocks, the sum of the ledger, the total, and how many events of each name there are. */
  const stored = (user: string) =>
    world.run(
      world.tenants.read(world.project, (db) =>
        Effect.gen(function* () {
          const { rows } = yield* db.events.pageOfUser(user, { limit: 1_000, offset: 0 })
          const named = (name: string) => rows.filter(({ event_name }) => event_name === name).length
          return {
            unlocks: (yield* db.userAchievements.list({ app_user_id: user }, [])).length,
            sum: (yield* db.xpEntries.list({ app_user_id: user }, [])).reduce((sum, { amount }) => sum + amount, 0),
            total: (yield* db.xpTotals.find(user)).total,
            unlocked: named("achievement_unlocked"),
            awarded: named("xp_awarded"),
          }
        }),
      ),
    )
  const once = { unlocks: 1, sum: reward, total: reward, unlocked: 1, awarded: 1 }

  it("are unlocked once by hand and by events [G1.2]", async () => {
    const { id } = await create("raced")
    const users = await world.users(6)
    for (const user of users) {
      await world.record([user], at)
      await Promise.all([unlock(user, id), world.process(), unlock(user, id), world.process(), unlock(user, id)])
      await world.process()
      expect(await stored(user)).toEqual(once)
    }
    expect(world.failures()).toEqual([])
  })

  it("are as their last change by hand has left them, with the XP for it [G1.6]", async () => {
    const { id } = await create("given and taken")
    const [user = ""] = await world.users(1)
    for (let round = 0; round < 5; round += 1) {
      await world.record([user], at)
      await Promise.all([unlock(user, id), revoke(user, id), world.process(), revoke(user, id), unlock(user, id)])
    }
    await revoke(user, id)
    await world.record([user], at)
    await world.process()
    expect(await stored(user)).toMatchObject({ unlocks: 0, sum: 0, total: 0 })
    await Promise.all([unlock(user, id), unlock(user, id)])
    expect(await stored(user)).toMatchObject({ unlocks: 1, sum: reward, total: reward })
    expect(world.failures()).toEqual([])
  })

  it("do without the users who are removed meanwhile", async () => {
    await create("first")
    const second = await create("second")
    const users = await world.users(40)
    await world.record(users, at, at)
    const gone = users.filter((_, index) => index % 2 === 0)
    const removals = async () => {
      for (const user of gone) await world.run(world.core.users.remove(world.project, user))
    }
    const byHand = async () => {
      for (const user of users) await Promise.allSettled([unlock(user, second.id)])
    }
    await Promise.all([removals(), world.process(), byHand(), world.process()])
    await world.process()
    expect(world.failures()).toEqual([])
    for (const user of users.filter((each) => !gone.includes(each))) {
      expect(await stored(user)).toEqual({ unlocks: 2, sum: 20, total: 20, unlocked: 2, awarded: 2 })
    }
  })

  it("are evaluated once for all, while users come and events are handled [G1.3]", async () => {
    const users = await world.users(1_050)
    await world.record(users.slice(0, 450), at)
    await world.record(users.slice(450, 900), at)
    await world.process()
    const { id } = await create("evaluated")
    await world.run(world.core.achievements.evaluate(world.project, id, { dry_run: false }))
    await world.record(users.slice(900), at)
    await Promise.all([world.process(), world.users(5), world.process()])
    await world.process()
    const rows = await world.run(world.tenants.read(world.project, (db) => db.userAchievements.list({}, [])))
    expect(rows).toHaveLength(1_050)
    expect(await stored(users[0] ?? "")).toEqual(once)
    expect(await stored(users.at(-1) ?? "")).toEqual(once)
    expect(world.failures()).toEqual([])
  })

  it("are at most 1,000, where several are made at once [G0.6]", async () => {
    const first = await create("first")
    await world.run(
      world.tenants.transact(world.project, (db) =>
        Effect.forEach(
          Array.from({ length: 998 }, (_, index) => index),
          (index) =>
            Effect.orDie(db.achievements.insert({ ...first, id: crypto.randomUUID(), key: `filled-${index}` })),
          { discard: true },
        ),
      ),
    )
    const made = await Promise.allSettled(["a", "b", "c"].map((key) => create(key)))
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    const { total } = await world.run(world.core.achievements.list(world.project, { limit: 1, offset: 0 }))
    expect(total).toBe(1_000)
  })
})
