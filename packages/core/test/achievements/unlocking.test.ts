import { makeAchievementsWork, unlocksNote } from "@hearth/core/achievements"
import { makeBatchNotes } from "@hearth/core/background"
import { xpEntriesNote } from "@hearth/core/xp"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { aStreakOf } from "../streaks/world.ts"
import { achievementWorld, wins } from "./world.ts"

describe("unlocking by events [G1.2]", () => {
  it("happens once, in the state after the batch, with its XP and its event [G1.7]", async () => {
    const { world, create, handle, ofUser, entries, told, total } = await achievementWorld()
    const { id } = await create({ key: "two", criteria: wins(2), xp_reward: 25 })
    await handle("win")
    expect(await ofUser()).toMatchObject([{ unlocked_at: null, progress: { current: 1, target: 2 } }])
    await world.clock.advance("1 hour")
    await handle("win", 3)
    const unlocked_at = new Date("2026-03-01T13:00:00.000Z")
    expect(await ofUser()).toMatchObject([{ unlocked_at, progress: { current: 2, target: 2 } }])
    await world.clock.advance("1 hour")
    await handle("win", 3)
    expect(await ofUser()).toMatchObject([{ unlocked_at }])
    expect(await total()).toBe(25)
    expect(await entries()).toMatchObject([{ amount: 25, source: "achievement", reference_id: id }])
    expect(await told("achievement_unlocked")).toMatchObject([
      { properties: { achievement_id: id, key: "two", xp_reward: 25 }, occurred_at: unlocked_at },
    ])
    expect(await told("xp_awarded")).toMatchObject([{ properties: { amount: 25, source: "achievement", total: 25 } }])
  })

  it("leaves no XP where there is none to give", async () => {
    const { create, handle, unlocked, entries, told } = await achievementWorld()
    await create({ key: "win" })
    await handle("win")
    expect(await unlocked()).toEqual(["win"])
    expect(await entries()).toEqual([])
    expect(await told("achievement_unlocked")).toHaveLength(1)
  })

  it("considers what mentions an event of the batch, or none at all", async () => {
    const { world, projectId, userId, create, handle, unlocked } = await achievementWorld()
    await world.run(world.core.users.update(projectId, userId, { properties: { plan: "pro" } }))
    const isPro = { field: "properties.plan", op: "eq", value: "pro" }
    await create({ key: "pro", criteria: { all: [isPro] } })
    await create({ key: "pro and lost", criteria: { all: [isPro, { event: "loss", op: "gte", count: 0 }] } })
    expect(await unlocked()).toEqual([])
    await handle("win")
    expect(await unlocked()).toEqual(["pro"])
    await handle("loss")
    expect(await unlocked()).toEqual(["pro", "pro and lost"])
  })

  it("asks for a single rule, too, stored as it was sent [G1.1]", async () => {
    const { create, handle, unlocked, own } = await achievementWorld()
    const criteria = { event: "win", count: 2 }
    expect((await create({ key: "twice", criteria })).criteria).toEqual(criteria)
    await handle("win")
    expect([await unlocked(), (await own())[0]?.progress]).toEqual([[], { current: 1, target: 2 }])
    await handle("win")
    expect(await unlocked()).toEqual(["twice"])
  })

  it("tests and sums the properties of events [G1.1]", async () => {
    const { create, record, process, unlocked } = await achievementWorld()
    const hard = { field: "properties.level", op: "eq", value: "hard" }
    await create({ key: "hard", criteria: { all: [{ event: "win", count: 2, where: { all: [hard] } }] } })
    await create({ key: "points", criteria: { any: [{ event: "win", sum: { property: "points", value: 10.5 } }] } })
    const win = async (properties: object) => {
      await record("win", 1, undefined, properties)
      await process()
    }
    await win({ level: "hard", points: 10 })
    await win({ level: "easy", points: "5" })
    expect(await unlocked()).toEqual([])
    await win({ level: "easy", points: 0.5 })
    expect(await unlocked()).toEqual(["points"])
    await win({ level: "hard" })
    expect(await unlocked()).toEqual(["hard", "points"])
  })

  it("sees streaks and XP as they are after the batch [G0.8]", async () => {
    const { world, projectId, create, handle, unlocked } = await achievementWorld()
    const { id } = await world.run(world.core.streaks.create(projectId, aStreakOf({ qualifying_event: "win" })))
    await create({ key: "begun", criteria: { all: [{ field: `streaks.${id}.current_count`, op: "gte", value: 1 }] } })
    await handle("win")
    expect(await unlocked()).toEqual(["begun"])
  })

  it("sees streaks as they are at the user's last event, whether or not they were swept [E2, G1.2]", async () => {
    const { world, projectId, create, record, process, unlocked, newUser, userId } = await achievementWorld()
    const { id } = await world.run(world.core.streaks.create(projectId, aStreakOf({ qualifying_event: "win" })))
    const begun = { field: `streaks.${id}.current_count`, op: "gte", value: 1 }
    await create({ key: "visited", criteria: { all: [{ event: "visit", count: 1 }, begun] } })
    const punctual = await newUser()
    await record("win")
    await record("win", 1, punctual)
    await process()
    await record("visit", 1, punctual)
    world.clock.advance("3 days")
    await record("visit")
    await process()
    expect(await world.run(world.core.streaks.own(projectId, userId))).toMatchObject([{ status: "broken" }])
    expect(await unlocked()).toEqual([])
    expect(await unlocked(punctual)).toEqual(["visited"])
  })

  it("unlocks what depends on another in the same batch", async () => {
    const { create, handle, unlocked } = await achievementWorld()
    const has = (key: string) => ({ all: [{ field: `achievements.${key}`, op: "eq", value: true }] })
    await create({ key: "c", criteria: has("b.b") })
    await create({ key: "b.b", criteria: has("a") })
    await create({ key: "a" })
    await handle("win")
    expect(await unlocked()).toEqual(["c", "b.b", "a"])
  })

  it("tells of a batch by user, whatever order their facts are read in, and of what others depend on first", async () => {
    const { world, projectId, userId, create, record, newUser } = await achievementWorld()
    await create({ key: "second", criteria: { all: [{ field: "achievements.first", op: "eq", value: true }] } })
    await create({ key: "first" })
    const users = [userId, await newUser(), await newUser()]
    for (const user of users) await record("win", 1, user)
    const [reaction] = makeAchievementsWork(world.ports).reactions ?? []
    const events = users.map((app_user_id) => ({
      ...{ id: world.ports.ids.uuid(), app_user_id, event_name: "win", properties: {}, occurred_at: new Date() },
    }))
    const told = await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.gen(function* () {
          yield* db.outbox.hold()
          const read: typeof db.ruleFacts.read = (...asked) =>
            Effect.map(db.ruleFacts.read(...asked), (facts) => facts.toReversed())
          const reversed = { ...db, ruleFacts: { ...db.ruleFacts, read } }
          return yield* reaction?.react(reversed, events, makeBatchNotes()) ?? Effect.succeed([])
        }),
      ),
    )
    expect(told.map(({ app_user_id, properties }) => [app_user_id, properties["key"]])).toEqual(
      users.toSorted().flatMap((id) => [
        [id, "first"],
        [id, "second"],
      ]),
    )
  })

  it("does not unlock what is inactive; its holders keep it", async () => {
    const { create, handle, unlocked, update, newUser } = await achievementWorld()
    const { id } = await create({ key: "held" })
    await create({ key: "never", is_active: false })
    await handle("win")
    await update(id, { is_active: false })
    const another = await newUser()
    await handle("win", 1, another)
    expect(await unlocked()).toEqual(["held"])
    expect(await unlocked(another)).toEqual([])
  })

  it("does not unlock again what was taken back by hand", async () => {
    const { create, handle, unlocked, revoke, unlock, evaluate, world } = await achievementWorld()
    const { id } = await create({ key: "held" })
    await handle("win")
    await revoke(id)
    await handle("win")
    await evaluate(id)
    await world.runPending()
    expect(await unlocked()).toEqual([])
    await unlock(id)
    expect(await unlocked()).toEqual(["held"])
  })

  it("passes over users who are gone, and goes on", async () => {
    const { world, projectId, create, record, process, unlocked, newUser } = await achievementWorld()
    await create({ key: "held" })
    const gone = await newUser()
    await record("win", 1, gone)
    await record("win")
    await world.run(world.core.users.remove(projectId, gone))
    await process()
    expect(await unlocked()).toEqual(["held"])
  })

  it("passes over criteria of a newer release", async () => {
    const { world, projectId, create, handle, ofUser } = await achievementWorld()
    const { id } = await create({ key: "newer" })
    await create({ key: "held" })
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.orDie(db.achievements.update(id, { criteria: { newer: true } })),
      ),
    )
    await handle("win")
    expect(await ofUser()).toMatchObject([
      { key: "newer", unlocked_at: null, progress: { current: 0, target: 1 } },
      { key: "held", progress: { current: 1, target: 1 } },
    ])
  })

  it("tells later reactions of the batch what it has unlocked, and with which XP", async () => {
    const { world, projectId, userId, create, record } = await achievementWorld()
    const { id } = await create({ key: "noted", xp_reward: 5 })
    await record("win")
    const notes = makeBatchNotes()
    const event = {
      id: world.ports.ids.uuid(),
      app_user_id: userId,
      event_name: "win",
      properties: {},
      occurred_at: new Date(),
    }
    const [reaction] = makeAchievementsWork(world.ports).reactions ?? []
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.gen(function* () {
          yield* db.outbox.hold()
          yield* reaction?.react(db, [event], notes) ?? Effect.void
        }),
      ),
    )
    expect(notes.read(unlocksNote)).toMatchObject([
      { app_user_id: userId, achievement_id: id, key: "noted", xp_reward: 5 },
    ])
    expect(notes.read(xpEntriesNote)).toMatchObject([{ app_user_id: userId, amount: 5, is_ranked: true }])
  })

  it("takes as many statements for many users and achievements as for few", async () => {
    const { world, projectId, userId, create, newUser } = await achievementWorld()
    const [reaction] = makeAchievementsWork(world.ports).reactions ?? []
    /** How many statements a batch takes in which all of these users have won. */
    const countCalls = (users: ReadonlyArray<string>) => {
      let calls = 0
      const counted = <Part extends object>(part: Part): Part =>
        new Proxy(part, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name)
            if (typeof value === "object" && value !== null) return counted(value)
            calls += 1
            return value
          },
        })
      const events = users.map((app_user_id) => ({
        ...{ id: world.ports.ids.uuid(), app_user_id, event_name: "win", properties: {}, occurred_at: new Date() },
      }))
      const react = world.tenants.transact(projectId, (db) =>
        Effect.gen(function* () {
          yield* db.outbox.hold()
          yield* reaction?.react(counted(db), events, makeBatchNotes()) ?? Effect.void
        }),
      )
      return world.run(Effect.map(react, () => calls))
    }
    await create({ criteria: { all: [] }, xp_reward: 1 })
    const few = await countCalls([userId])
    const users = await Promise.all(Array.from({ length: 20 }, newUser))
    for (let count = 0; count < 20; count += 1) {
      await create({ criteria: { all: [{ event: "win", op: "gte", count: 0 }] }, xp_reward: count })
    }
    expect(await countCalls(users)).toBe(few)
    expect(few).toBeLessThan(15)
  })
})
