import type { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { referralWorld } from "./world.ts"

describe("codes of developers", () => {
  it("are upper-cased and unique, whatever their case [G7.1]", async () => {
    const { world, projectId, promo, refusal } = await referralWorld()
    const code = await promo({ code: "Spring-2026", max_uses: 3 })
    expect(code).toMatchObject({
      code: "SPRING-2026",
      is_active: true,
      app_user_id: null,
      max_uses: 3,
      total_claims: 0,
    })
    const again = { code: "SPRING-2026", reward_referrer: {}, reward_referee: {}, max_uses: null }
    expect(await refusal(world.core.referrals.create(projectId, again))).toMatchObject({ code: "CODE_EXISTS" })
    const other = await world.aProjectWithOwner()
    await world.run(world.core.referrals.create(other.projectId, again))
  })

  it("are made up where none is given, and again where that is taken [G7.1]", async () => {
    const numbers = [...Array(16).fill(0), ...Array(8).fill(1), ...Array(8).fill(2)]
    const { world, projectId } = await referralWorld(
      {},
      { ports: ({ ids }) => ({ ids: { ...ids, integer: (below) => numbers.shift() ?? ids.integer(below) } }) },
    )
    const make = () =>
      world.run(world.core.referrals.create(projectId, { reward_referrer: {}, reward_referee: {}, max_uses: null }))
    numbers.unshift(...Array(8).fill(0))
    const codes = [await make(), await make(), await make(), await make()].map(({ code }) => code)
    expect(codes.slice(0, 3)).toEqual(["AAAAAAAA", "BBBBBBBB", "CCCCCCCC"])
    expect(codes[3]).toMatch(/^[A-HJKMNP-Z2-9]{8}$/)
  })

  it.each([
    ["reward_referrer", { currencies: { GEMS: 5 } }, "reward_referrer.currencies.GEMS"],
    ["reward_referee", { currencies: { GEMS: 5 } }, "reward_referee.currencies.GEMS"],
    ["reward_referee", { xp: 0 }, "reward_referee.xp"],
    ["reward_referrer", null, "reward_referrer"],
    ["reward_referrer", "xp", "reward_referrer"],
  ])("have rewards that can be given: %s %j is refused [G5.1, G7.1]", async (side, reward, path) => {
    const { world, projectId, promo, refusal } = await referralWorld()
    const { referrals } = world.core
    const code = await promo()
    const rewards = { reward_referrer: {}, reward_referee: {}, [side]: reward }
    const program = { ...rewards, max_uses: null, require_account: false, max_account_age_hours: null }
    const before = await world.run(referrals.program(projectId))
    for (const call of [
      referrals.create(projectId, { ...rewards, max_uses: null }),
      referrals.update(projectId, code.id, { [side]: reward }),
      referrals.saveProgram(projectId, program),
    ])
      expect(await refusal(call as Effect.Effect<unknown, unknown>)).toMatchObject({
        ...{ code: "INVALID_REWARD", kind: "invalid", details: { issues: [{ path }] } },
      })
    expect(await world.run(referrals.program(projectId))).toEqual(before)
    expect((await world.run(referrals.list(projectId, { limit: 10, offset: 0 }))).rows).toEqual([code])
  })

  it("keep other keys of their rewards [G5.1]", async () => {
    const { promo } = await referralWorld()
    expect(await promo({ reward_referee: { xp: 1, note: "hi" } })).toMatchObject({
      reward_referee: { xp: 1, note: "hi" },
    })
  })

  it("are changed field by field, and are gone when they are removed", async () => {
    const { world, projectId, promo, refusal } = await referralWorld()
    const { referrals } = world.core
    const code = await promo({ max_uses: 3 })
    expect(await world.run(referrals.update(projectId, code.id, {}))).toEqual(code)
    const changed = await world.run(referrals.update(projectId, code.id, { max_uses: null, is_active: false }))
    expect(changed).toEqual({ ...code, max_uses: null, is_active: false })
    await world.run(referrals.remove(projectId, code.id))
    await world.run(referrals.remove(projectId, code.id))
    for (const call of [
      referrals.update(projectId, code.id, { is_active: true }),
      referrals.stats(projectId, code.id, { limit: 1, offset: 0 }),
    ])
      expect(await refusal(call as Effect.Effect<unknown, unknown>)).toMatchObject({ code: "NOT_FOUND" })
  })

  it("are listed the newest first", async () => {
    const { world, projectId, promo, user, codeOf } = await referralWorld()
    const first = await promo()
    world.clock.advance("1 second")
    const own = await codeOf(await user())
    const page = (offset: number) => world.run(world.core.referrals.list(projectId, { limit: 1, offset }))
    expect([await page(0), await page(1)]).toEqual([
      { rows: [own], total: 2 },
      { rows: [first], total: 2 },
    ])
  })
})

describe("the program", () => {
  it("gives nothing before it was said [G7.2]", async () => {
    const { world } = await referralWorld()
    const { projectId } = await world.aProjectWithOwner()
    expect(await world.run(world.core.referrals.program(projectId))).toEqual({
      ...{ reward_referrer: {}, reward_referee: {}, max_uses: null },
      ...{ require_account: false, max_account_age_hours: null },
    })
  })

  it("is what codes of users get when they are made, and does not change them later [G7.2]", async () => {
    const { world, projectId, user, codeOf } = await referralWorld({ max_uses: 4 })
    const [ada, bob] = [await user(), await user()]
    const own = await codeOf(ada)
    expect(own).toMatchObject({
      ...{ app_user_id: ada, is_active: true, max_uses: 4, total_claims: 0 },
      ...{ reward_referrer: { xp: 5 }, reward_referee: { xp: 10 } },
    })
    expect(own.code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/)
    const program = { reward_referrer: { xp: 7 }, reward_referee: {}, max_uses: null }
    const saved = { ...program, require_account: false, max_account_age_hours: null }
    expect(await world.run(world.core.referrals.saveProgram(projectId, saved))).toEqual(saved)
    expect(await codeOf(ada)).toEqual(own)
    expect(await codeOf(bob)).toMatchObject(program)
  })
})

describe("the code of a user", () => {
  it("is one, however many ask for it first at once [G7.2]", async () => {
    const { world, projectId, user, together } = await referralWorld()
    const ada = await user()
    const exits = await together(Array.from({ length: 8 }, () => world.core.referrals.own(projectId, ada)))
    const codes = exits.map((exit) => (exit._tag === "Success" ? exit.value.code : exit))
    expect(new Set(codes).size).toBe(1)
    expect((await world.run(world.core.referrals.list(projectId, { limit: 10, offset: 0 }))).total).toBe(1)
  })

  it("is made anew when a developer has removed it, and goes with the user", async () => {
    const { world, projectId, user, codeOf, refusal, read } = await referralWorld()
    const ada = await user()
    const own = await codeOf(ada)
    await world.run(world.core.referrals.remove(projectId, own.id))
    expect((await codeOf(ada)).id).not.toBe(own.id)
    await world.run(world.core.users.remove(projectId, ada))
    expect(await read((db) => db.referralCodes.list({}, []))).toEqual([])
    expect(await refusal(world.core.referrals.own(projectId, ada))).toMatchObject({ code: "INVALID_TOKEN" })
  })
})
