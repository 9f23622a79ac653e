import { aUser } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { aStreakOf } from "../streaks/world.ts"
import { achievementWorld, wins } from "./world.ts"

describe("evaluating an achievement [G1.3]", () => {
  it("tells who would unlock it and writes nothing", async () => {
    const { world, create, record, process, evaluate, unlocked, newUser, unlock, revoke } = await achievementWorld()
    const users = await Promise.all(Array.from({ length: 4 }, newUser))
    for (const user of users) await record("win", 2, user)
    await process()
    const { id } = await create({ key: "retro", criteria: wins(2) })
    const [held = "", revoked = "", ...open] = users
    await unlock(id, held)
    await unlock(id, revoked)
    await revoke(id, revoked)
    expect(await evaluate(id, true)).toEqual({ would_unlock: 2, sample: expect.arrayContaining(open) })
    await world.runPending()
    expect(await unlocked(open[0])).toEqual([])
    expect(
      await world.run(world.core.achievements.preview((await world.aProjectWithOwner()).projectId, wins(2))),
    ).toEqual({
      would_unlock: 0,
      sample: [],
    })
  })

  it("previews criteria before they are saved, with at most 20 users", async () => {
    const { world, projectId, record, process, newUser } = await achievementWorld()
    for (let at = 0; at < 22; at += 1) await record("win", 1, await newUser())
    await process()
    const preview = await world.run(world.core.achievements.preview(projectId, wins(1)))
    expect(preview.would_unlock).toBe(22)
    expect(new Set(preview.sample).size).toBe(20)
  })

  it("unlocks it in the background for all who fit, with XP and events", async () => {
    const { world, create, record, process, evaluate, unlocked, total, told, ledger, newUser, userId } =
      await achievementWorld()
    const another = await newUser()
    await record("win", 2, userId)
    await record("win", 1, another)
    await process()
    const { id } = await create({ key: "retro", criteria: wins(2), xp_reward: 30 })
    expect(await evaluate(id)).toEqual({ status: "evaluating", achievement_id: id })
    await world.runPending()
    expect(await unlocked()).toEqual(["retro"])
    expect(await unlocked(another)).toEqual([])
    expect(await total()).toBe(30)
    expect(await ledger()).toMatchObject([{ amount: 30, is_ranked: true }])
    expect(await told("achievement_unlocked")).toMatchObject([
      { properties: { achievement_id: id, key: "retro", xp_reward: 30 } },
    ])
    await evaluate(id)
    await world.runPending()
    expect(await total()).toBe(30)
  })

  it("sees streaks as they are when a user is considered, whether or not they were swept [E2]", async () => {
    const { world, projectId, create, handle, process, evaluate, unlocked } = await achievementWorld()
    const { id } = await world.run(world.core.streaks.create(projectId, aStreakOf({ qualifying_event: "win" })))
    await handle("win")
    const begun = { field: `streaks.${id}.current_count`, op: "gte", value: 1 }
    const achievement = await create({ key: "begun", criteria: { all: [begun] } })
    await evaluate(achievement.id)
    world.clock.advance("3 days")
    await process()
    expect(await unlocked()).toEqual([])
  })

  it("is refused while it is inactive", async () => {
    const { world, projectId, create, refusal } = await achievementWorld()
    const { id } = await create({ is_active: false })
    for (const dry_run of [true, false]) {
      expect(await refusal(world.core.achievements.evaluate(projectId, id, { dry_run }))).toBe("INACTIVE")
    }
  })

  /** A world with so many more users, each of whom has `plan` pro. */
  const crowd = async (count: number) => {
    const given = await achievementWorld()
    const { world, projectId } = given
    const users = Array.from({ length: count }, () => aUser({ properties: { plan: "pro" } }))
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.orDie(Effect.forEach(users, db.users.insert, { discard: true })),
      ),
    )
    const count_ = (id: string) =>
      world.run(
        Effect.map(
          world.tenants.read(projectId, (db) => db.userAchievements.list({ achievement_id: id }, [])),
          (rows) => rows.length,
        ),
      )
    const isPro = { all: [{ field: "properties.plan", op: "eq", value: "pro" }] }
    const step = () =>
      world.run(
        world.tenants.transact(projectId, (db) =>
          Effect.gen(function* () {
            yield* db.outbox.hold()
            return (yield* db.outbox.waiting()).entries
          }),
        ),
      )
    return { ...given, users, held: count_, isPro, step }
  }

  it("goes through all users in slices", async () => {
    const { world, create, evaluate, held, isPro } = await crowd(1_201)
    const { id } = await create({ criteria: isPro })
    await evaluate(id)
    await world.runPending()
    expect(await held(id)).toBe(1_201)
  })

  it("begins anew with criteria that change meanwhile, and ends when it is made inactive", async () => {
    const { world, projectId, create, evaluate, held, isPro, update, users } = await crowd(600)
    const { id } = await create({ criteria: { any: [] } })
    const last =
      users
        .map((user) => user.id)
        .toSorted()
        .at(499) ?? ""
    // As a first slice by the former criteria has left it.
    const payload = { achievement_id: id, criteria: { any: [] }, after_user_id: last }
    const leave = () =>
      world.run(world.tenants.transact(projectId, (db) => db.outbox.add("achievements.evaluate", payload)))
    await update(id, { criteria: isPro, is_active: false })
    await leave()
    await world.run(world.core.background.process(projectId))
    expect(await held(id)).toBe(0)
    await update(id, { is_active: true })
    await leave()
    await world.run(world.core.background.process(projectId))
    expect(await held(id)).toBe(600)
    await evaluate(id)
    await world.run(world.core.achievements.remove(projectId, id))
    await world.runPending()
    expect(await held(id)).toBe(0)
  })

  it("is asked for twice and done once", async () => {
    const { create, evaluate, step } = await crowd(1)
    const { id } = await create()
    const before = await step()
    await evaluate(id)
    await evaluate(id)
    expect((await step()) - before).toBeLessThanOrEqual(1)
  })
})
