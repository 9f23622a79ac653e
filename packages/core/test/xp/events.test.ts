import { platformEvents } from "@hearth/core/events"
import { describe, expect, it } from "vitest"
import { lesson, xpWorld } from "./world.ts"

const noon = "2026-03-01T12:00:00.000Z"

describe("XP for events", () => {
  it("is given by the rule of the event's name, and told with the event's occurred_at [G2.1, G2.3]", async () => {
    const { handle, ofUser, rules, told } = await xpWorld()
    await rules(lesson)
    await handle("lesson", "2026-02-01T08:00:00.000Z")
    await handle("quiz", noon)
    const { entries, total } = await ofUser()
    expect([total, entries.length]).toEqual([10, 1])
    expect(entries).toMatchObject([{ amount: 10, source: "event", reference_id: expect.any(String) }])
    const awarded = await told("xp_awarded")
    expect(awarded).toMatchObject([
      {
        occurred_at: new Date("2026-02-01T08:00:00.000Z"),
        properties: { amount: 10, source: "event", reference_id: entries[0]?.reference_id, total: 10 },
      },
    ])
  })

  it("is cut at the daily cap of the UTC day of occurred_at, in the order of handling [G2.1]", async () => {
    const { handle, ofUser, own, rules, told } = await xpWorld()
    await rules({ ...lesson, daily_cap: 25 })
    await handle("lesson", noon, noon)
    await handle("lesson", "2026-03-01T00:00:00.000Z", noon, "2026-03-02T00:00:00.000Z")
    expect((await own()).total).toBe(35)
    await handle("lesson", noon)
    const { entries } = await ofUser()
    // Those of one batch were created at one instant.
    expect(entries.map(({ amount }) => amount).toSorted()).toEqual([10, 10, 10, 5])
    expect(await told("xp_awarded")).toHaveLength(4)
  })

  it("counts the cap by event name, whatever became of the rule meanwhile [G2.1]", async () => {
    const { handle, own, rules } = await xpWorld()
    await rules(lesson, { event_name: "quiz", amount: 7, daily_cap: 7 })
    await handle("lesson", noon, noon)
    await handle("quiz", noon, noon)
    expect((await own()).total).toBe(27)
    await rules()
    await handle("lesson", noon)
    await rules({ ...lesson, amount: 100, daily_cap: 30 })
    await handle("lesson", noon, noon)
    expect((await own()).total).toBe(37)
  })

  it("is what the rules say when the event is handled, not when it was recorded [G2.1]", async () => {
    const { own, process, record, rules } = await xpWorld()
    await rules(lesson)
    await record("lesson", [noon])
    await rules({ ...lesson, amount: 3 })
    await process()
    expect((await own()).total).toBe(3)
    await rules({ ...lesson, amount: 1_000_000 })
    await process()
    expect((await own()).total).toBe(3)
  })

  it("tells of levels once, also of those that are passed over [G2.3]", async () => {
    const { handle, levels, own, rules, told } = await xpWorld()
    const [zero, one, two, three] = [0, 10, 20, 45].map((xp_required) => ({ name: `L${xp_required}`, xp_required }))
    await levels(...[zero, one, two, three].filter((level) => level !== undefined))
    await rules({ ...lesson, amount: 15 })
    await handle("lesson", noon, noon, "2026-03-01T13:00:00.000Z")
    expect((await told("level_reached")).map(({ properties }) => properties)).toEqual([one, two, three])
    expect(await own()).toEqual({ total: 45, level: three, next_level: null })
  })

  it("is never given for what the platform tells, also where a rule is older than the name [G0.1]", async () => {
    const { handle, own, projectId, world } = await xpWorld()
    const rules = platformEvents.map((event_name) => ({ event_name, amount: 10, daily_cap: null }))
    await world.run(world.tenants.transact(projectId, (db) => db.xpRules.replace([lesson, ...rules])))
    await handle("lesson", noon)
    for (const name of platformEvents) await handle(name, noon)
    await world.runPending()
    expect((await own()).total).toBe(10)
  })

  it("is given for events of providers [G0.1]", async () => {
    const { handle, own, rules } = await xpWorld()
    await rules({ event_name: "subscription_renewed", amount: 5, daily_cap: null })
    await handle("subscription_renewed", noon)
    expect((await own()).total).toBe(5)
  })

  it("is dropped with a user who is gone, and others get theirs [G]", async () => {
    const { own, process, projectId, record, rules, world } = await xpWorld()
    await rules(lesson)
    const { userId: gone } = await world.aSignedInUser(projectId)
    await record("lesson", [noon], gone)
    await record("lesson", [noon])
    await world.run(world.core.users.remove(projectId, gone))
    await process()
    expect((await own()).total).toBe(10)
  })

  it("is a few statements for a batch, whatever the number of rules, users and levels", async () => {
    const { levels, own, process, projectId, record, rules, world } = await xpWorld()
    await rules(...Array.from({ length: 1_000 }, (_, at) => ({ ...lesson, event_name: `lesson ${at}`, daily_cap: 15 })))
    await levels(...Array.from({ length: 1_000 }, (_, at) => ({ name: `Level ${at}`, xp_required: at * 10 })))
    for (let user = 0; user < 20; user += 1) {
      const { userId } = await world.aSignedInUser(projectId)
      for (let at = 0; at < 5; at += 1) await record(`lesson ${at}`, [noon, noon], userId)
    }
    await record("lesson 1", [noon])
    await process()
    expect((await own()).total).toBe(10)
  })
})
