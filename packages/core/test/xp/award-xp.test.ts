import { makeAwardXp, rankXpTopic, type XpAward } from "@hearth/core/xp"
import { anXpAward, testWorld } from "@hearth/testing"
import { describe, expect, it } from "vitest"

const levels = [
  { name: "Bronze", xp_required: 100 },
  { name: "Silver", xp_required: 200 },
]
const earlier = new Date("2026-02-01T12:00:00.000Z")

const xpWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const awardXp = makeAwardXp(world.ports)
  await world.run(world.tenants.transact(projectId, (db) => db.xpLevels.replace(levels)))
  return {
    world,
    userId,
    user: async () => (await world.aSignedInUser(projectId)).userId,
    remove: (id: string) => world.run(world.core.users.remove(projectId, id)),
    award: (isRanked: boolean, ...awards: ReadonlyArray<XpAward>) =>
      world.run(world.tenants.transact(projectId, (db) => awardXp(db, awards, { isRanked }))),
    total: async (id = userId) => (await world.run(world.tenants.read(projectId, (db) => db.xpTotals.find(id)))).total,
    entries: (id = userId) =>
      world.run(world.tenants.read(projectId, (db) => db.xpEntries.list({ app_user_id: id }, []))),
    waiting: async () => (await world.run(world.tenants.read(projectId, (db) => db.outbox.waiting()))).entries,
    next: () =>
      world.run(
        world.tenants.read(projectId, (db) =>
          db.outbox.next({ events: 1, bytes: 1, topics: [rankXpTopic], properties: false }),
        ),
      ),
  }
}

describe("awards of XP", () => {
  it("are entries of the ledger with the events that they cause [G2.3]", async () => {
    const { award, entries, total, userId, world } = await xpWorld()
    const given = anXpAward({
      app_user_id: userId,
      amount: 250,
      source: "event",
      reference_id: "e",
      occurred_at: earlier,
    })
    const { entries: written, events } = await award(true, given)
    expect(await entries()).toEqual(written)
    expect(written).toEqual([{ ...given, id: expect.any(String), created_at: world.clock.now(), is_ranked: true }])
    expect(await total()).toBe(250)
    // Only `xp_awarded` is of then [G].
    const [then, now] = [earlier, world.clock.now()].map((occurred_at) => ({ app_user_id: userId, occurred_at }))
    expect(events).toEqual([
      {
        ...then,
        event_name: "xp_awarded",
        properties: { amount: 250, source: "event", reference_id: "e", total: 250 },
        cause_key: `xp/${written[0]?.id}/xp_awarded`,
      },
      ...levels.map((level) => ({
        ...{ ...now, event_name: "level_reached", properties: level },
        cause_key: `xp/${userId}/${level.xp_required}/level_reached`,
      })),
    ])
  })

  it.each(["achievement", "admin", "reward"] as const)("of source %s are told of now [G]", async (source) => {
    const { award, userId, world } = await xpWorld()
    const { events } = await award(false, anXpAward({ app_user_id: userId, source, amount: 100, occurred_at: earlier }))
    expect(events.map(({ event_name, occurred_at }) => [event_name, occurred_at])).toEqual([
      ["xp_awarded", world.clock.now()],
      ["level_reached", world.clock.now()],
    ])
  })

  it("are given once by their cause, in one call and over several [G2.3]", async () => {
    const { award, entries, total, userId } = await xpWorld()
    const one = anXpAward({ app_user_id: userId, amount: 10 })
    expect((await award(true, one, { ...one, amount: 90 })).entries.map(({ amount }) => amount)).toEqual([10])
    expect(await award(true, one)).toEqual({ entries: [], totals: [], events: [] })
    expect(await award(true)).toEqual({ entries: [], totals: [], events: [] })
    expect([await total(), (await entries()).length]).toEqual([10, 1])
  })

  it("are cut at 0 where they take, and silent; the total is the sum of the ledger [G2.3]", async () => {
    const { award, entries, total, userId } = await xpWorld()
    const by = (amount: number) => anXpAward({ app_user_id: userId, amount })
    await award(true, by(120))
    expect(await award(true, by(-150))).toMatchObject({ entries: [{ amount: -120 }], events: [] })
    expect(await award(true, by(-1))).toEqual({ entries: [], totals: [], events: [] })
    const again = await award(true, by(150))
    expect(again.events.map(({ event_name, properties }) => [event_name, properties["total"]])).toEqual([
      ["xp_awarded", 150],
    ])
    const sum = (await entries()).reduce((total, { amount }) => total + amount, 0)
    expect([await total(), sum]).toEqual([150, 150])
  })

  it("ask leaderboards through the outbox, unless a reaction tells them", async () => {
    const { award, next, userId, waiting } = await xpWorld()
    await award(true, anXpAward({ app_user_id: userId }))
    expect(await waiting()).toBe(0)
    expect((await award(false, anXpAward({ app_user_id: userId }))).entries).toMatchObject([{ is_ranked: false }])
    expect(await next()).toMatchObject({ entry: { topic: "leaderboards.xp", payload: {} } })
    await award(false, anXpAward({ app_user_id: userId, amount: -50 }), anXpAward({ app_user_id: userId, amount: -50 }))
    expect(await waiting()).toBe(2)
    await award(false, anXpAward({ app_user_id: userId, amount: -50 }))
    expect(await waiting()).toBe(2)
  })

  it("pass over users who are gone", async () => {
    const { award, remove, total, user, userId } = await xpWorld()
    const gone = await user()
    await remove(gone)
    const { entries } = await award(true, anXpAward({ app_user_id: gone }), anXpAward({ app_user_id: userId }))
    expect(entries.map(({ app_user_id }) => app_user_id)).toEqual([userId])
    expect(await total()).toBe(10)
  })
})
