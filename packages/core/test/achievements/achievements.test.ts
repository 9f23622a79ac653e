import type { NewAchievement } from "@hearth/core/achievements"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { achievementWorld, wins } from "./world.ts"

const given = (key: string, criteria: unknown = wins(1)): NewAchievement => ({
  ...{ key, name: key, criteria, description: null, icon_url: null, xp_reward: 0 },
  ...{ is_hidden: false, sort_order: 0, is_active: true },
})

describe("achievements", () => {
  it("keep their criteria as sent [G1.1]", async () => {
    const { world, projectId, create } = await achievementWorld()
    const criteria = { any: [{ event: "win", count: 3, note: [1] }], why: "kept" }
    const made = await create({ criteria })
    expect(made.criteria).toEqual(criteria)
    expect(await world.run(world.core.achievements.get(projectId, made.id))).toEqual(made)
  })

  it("refuse what is no criteria, when made, changed and previewed [G1.1]", async () => {
    const { world, projectId, create, refusal } = await achievementWorld()
    const { achievements } = world.core
    const { id } = await create()
    for (const criteria of [null, [], "x", {}, { event: "win" }, { all: [{ event: "win" }] }, { all: [], any: [] }]) {
      const text = JSON.stringify(criteria)
      expect(await refusal(achievements.create(projectId, given("bad", criteria))), text).toBe("INVALID_CRITERIA")
      expect(await refusal(achievements.update(projectId, id, { criteria })), text).toBe("INVALID_CRITERIA")
      expect(await refusal(achievements.preview(projectId, criteria)), text).toBe("INVALID_CRITERIA")
    }
  })

  it("have a key of their own [G1.5]", async () => {
    const { world, projectId, create, refusal } = await achievementWorld()
    await create({ key: "first" })
    expect(await refusal(world.core.achievements.create(projectId, given("first")))).toBe("KEY_EXISTS")
    await create({ key: "FIRST" })
  })

  it("have criteria of at most a million characters, the active ones together", async () => {
    const { world, projectId, create, update, refusal } = await achievementWorld()
    const { achievements } = world.core
    const long = (characters: number) => {
      const criteria = { ...wins(1), note: "" }
      return { ...criteria, note: "x".repeat(characters - JSON.stringify(criteria).length) }
    }
    const rows = []
    for (let made = 0; made < 20; made += 1) rows.push(await create({ criteria: long(50_000) }))
    expect(await refusal(achievements.create(projectId, given("one more", long(1_001))))).toBe("QUOTA_EXCEEDED")
    await create({ criteria: long(1_000) })
    const off = await create({ criteria: long(50_000), is_active: false })
    expect(await refusal(achievements.update(projectId, off.id, { is_active: true }))).toBe("QUOTA_EXCEEDED")
    await update(rows[0]?.id ?? "", { criteria: long(49_000) })
    expect(await refusal(achievements.update(projectId, rows[1]?.id ?? "", { criteria: long(50_001) }))).toBe(
      "QUOTA_EXCEEDED",
    )
    await update(rows[0]?.id ?? "", { is_active: false })
    expect((await update(off.id, { criteria: long(49_000), is_active: true })).is_active).toBe(true)
  })

  it("are at most 1,000, also where two are made at once [G0.6]", async () => {
    const { world, projectId, create } = await achievementWorld()
    const row = await create()
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.forEach(
          Array.from({ length: 998 }, (_, at) => at),
          (at) => Effect.orDie(db.achievements.insert({ ...row, id: world.ports.ids.uuid(), key: `filled-${at}` })),
        ),
      ),
    )
    const attempt = (key: string) =>
      world.run(
        Effect.match(world.core.achievements.create(projectId, given(key)), {
          onFailure: ({ code }) => code,
          onSuccess: () => "made",
        }),
      )
    expect((await Promise.all([attempt("a"), attempt("b"), attempt("c")])).toSorted()).toEqual([
      "LIMIT_REACHED",
      "LIMIT_REACHED",
      "made",
    ])
  })

  it("are listed by sort_order, then by age", async () => {
    const { world, projectId, create } = await achievementWorld()
    await create({ key: "late", sort_order: 5 })
    await create({ key: "first", sort_order: -1 })
    await world.clock.advance("1 second")
    await create({ key: "later", sort_order: 5 })
    const { rows, total } = await world.run(world.core.achievements.list(projectId, { limit: 2, offset: 1 }))
    expect([total, ...rows.map(({ key }) => key)]).toEqual([3, "late", "later"])
  })

  it("change only in what is given, and stay unlocked when their criteria change [G1.2]", async () => {
    const { create, handle, unlocked, update } = await achievementWorld()
    const made = await create({ key: "win", description: "Win." })
    await handle("win")
    const changed = await update(made.id, { criteria: wins(100) })
    expect(changed).toEqual({ ...made, criteria: wins(100) })
    expect(await unlocked()).toEqual(["win"])
    expect(await update(made.id, {})).toEqual(changed)
    expect(await update(made.id, { description: null, is_active: false })).toMatchObject({
      description: null,
      is_active: false,
    })
    expect(await unlocked()).toEqual(["win"])
  })

  it("are not found where there is none", async () => {
    const { world, projectId, refusal } = await achievementWorld()
    const { achievements } = world.core
    const id = world.ports.ids.uuid()
    expect(await refusal(achievements.get(projectId, id))).toBe("NOT_FOUND")
    expect(await refusal(achievements.update(projectId, id, { name: "x" }))).toBe("NOT_FOUND")
    expect(await refusal(achievements.evaluate(projectId, id, { dry_run: false }))).toBe("NOT_FOUND")
    await world.run(achievements.remove(projectId, id))
  })

  it("are taken from their holders when they are removed; the XP stays [G1.6]", async () => {
    const { world, projectId, create, handle, own, total } = await achievementWorld()
    const { id } = await create({ xp_reward: 50 })
    await handle("win")
    expect(await total()).toBe(50)
    await world.run(world.core.achievements.remove(projectId, id))
    expect(await own()).toEqual([])
    expect(await total()).toBe(50)
  })
})
