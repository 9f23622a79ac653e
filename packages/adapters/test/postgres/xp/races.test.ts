import { makeAwardXp } from "@hearth/core/xp"
import { anXpAward } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest"
import { ids } from "../server.ts"
import { type StreakWorld, streakServer } from "../streaks/harness.ts"

const noon = "2026-03-02T12:00:00Z"
const lesson = { event_name: "lesson", amount: 10, daily_cap: null }

describe("XP against what happens at the same time", () => {
  const server = streakServer()
  let world: StreakWorld
  beforeEach(async () => {
    world = await server.world()
    await world.run(world.core.xp.replaceRules(world.project, { rules: [lesson] }))
  })
  afterEach(async () => void (await world.close()))
  afterAll(server.close)

  const read = (user: string) => world.run(world.core.xp.ofUser(world.project, user))
  const total = async (user: string) => (await read(user)).total
  const give = (user: string, amount: number, key: string | null = null) =>
    world.run(world.core.xp.award(world.project, user, { amount }, key))
  const remove = (user: string) => world.run(world.core.users.remove(world.project, user))
  const ledgerSum = async (user: string) => {
    const entries = await world.run(
      world.tenants.read(world.project, (db) => db.xpEntries.list({ app_user_id: user }, [])),
    )
    return entries.reduce((sum, { amount }) => sum + amount, 0)
  }

  it("events of a user who is being removed give nothing, and others get theirs", async () => {
    const [gone = "", kept = ""] = await world.users(2)
    await world.record([gone, kept], noon)
    const deletion = await world.begin(`delete from app_users where id = '${gone}'`)
    const processed = world.process()
    await world.somebodyWaits()
    await deletion.commit()
    await processed
    expect(await total(kept)).toBe(10)
    expect(world.failures()).toEqual([])
  })

  it("a batch locks the totals of all its users in one order, also of those who only unlock something [G0.5]", async () => {
    const [a = "", b = ""] = (await world.users(2)).toSorted()
    await give(a, 1)
    await give(b, 1)
    const criteria = { all: [{ event: "walk", count: 1 }] }
    await world.run(
      world.core.achievements.create(world.project, {
        ...{ key: "walker", name: "Walker", criteria, description: null, icon_url: null },
        ...{ xp_reward: 5, is_hidden: false, sort_order: 0, is_active: true },
      }),
    )
    const events = [
      { app_user_id: a, event_name: "walk" },
      { app_user_id: b, event_name: "lesson" },
    ]
    await world.run(world.core.events.record(world.project, { events }))
    const other = await world.begin(`select from xp_totals where app_user_id = '${a}' for update`)
    const processed = world.process()
    await world.somebodyWaits()
    const next = await world.begin(`select from xp_totals where app_user_id = '${b}' for update nowait`)
    await next.commit()
    await other.commit()
    await processed
    expect([await total(a), await total(b)]).toEqual([6, 11])
    expect(world.failures()).toEqual([])
  })

  it("an award by hand to a user who is being removed finds nobody", async () => {
    const [user = ""] = await world.users(1)
    const deletion = await world.begin(`delete from app_users where id = '${user}'`)
    const given = world.run(Effect.flip(world.core.xp.award(world.project, user, { amount: 5 })))
    await world.somebodyWaits()
    await deletion.commit()
    expect(await given).toMatchObject({ code: "USER_NOT_FOUND" })
  })

  it("a removal waits for an award that has begun, and takes it along", async () => {
    const [user = ""] = await world.users(1)
    await give(user, 5)
    const other = await world.begin(`select from xp_totals where app_user_id = '${user}' for update`)
    const given = give(user, 5)
    await world.somebodyWaits()
    const removed = remove(user)
    await other.commit()
    expect(await given).toEqual({ total: 10, awarded: 5 })
    await removed
    expect(await ledgerSum(user)).toBe(0)
  })

  it("of awards with one cause at once one is given [G2.3]", async () => {
    const [user = ""] = await world.users(1)
    const awardXp = makeAwardXp({ clock: world.clock, ids })
    const award = anXpAward({ app_user_id: user, cause_key: "achievements/one" })
    const written = await Promise.all(
      Array.from({ length: 6 }, () =>
        world.run(world.tenants.transact(world.project, (db) => awardXp(db, [award], { isRanked: false }))),
      ),
    )
    expect(written.filter(({ entries }) => entries.length > 0)).toHaveLength(1)
    expect([await total(user), await ledgerSum(user)]).toEqual([10, 10])
  })

  it("totals are the sum of the ledger, however events, awards and deductions come [G2.3]", async () => {
    const users = await world.users(20)
    const key = ids.uuid()
    const rounds = async (amount: number) => {
      for (const user of users) await give(user, amount)
    }
    const ingest = async () => {
      for (let round = 0; round < 5; round += 1) {
        await world.record(users, noon)
        await world.process()
      }
    }
    await Promise.all([ingest(), rounds(3), rounds(-4), give(users[0] ?? "", 7, key), give(users[0] ?? "", 7, key)])
    for (const user of users) expect(await total(user)).toBe(await ledgerSum(user))
    expect(world.failures()).toEqual([])
  })

  it("rules that change while events are handled lose none, and deadlock nowhere [G2.1]", async () => {
    const users = await world.users(10)
    const changes = async () => {
      for (let round = 0; round < 10; round += 1) {
        const rules = [{ ...lesson, amount: 1 + (round % 2) }]
        await world.run(world.core.xp.replaceRules(world.project, { rules }))
        await world.run(world.core.xp.replaceLevels(world.project, { levels: [{ name: "L", xp_required: round }] }))
      }
    }
    const ingest = async () => {
      for (let round = 0; round < 10; round += 1) {
        await world.record(users, noon)
        await world.process()
      }
    }
    await Promise.all([changes(), ingest(), changes()])
    await world.process()
    expect(world.failures()).toEqual([])
    for (const user of users) {
      const { entries } = await read(user)
      expect(entries).toHaveLength(10)
      expect(entries.every(({ amount }) => [1, 2, 10].includes(amount))).toBe(true)
      expect(await total(user)).toBe(await ledgerSum(user))
    }
  })
})
