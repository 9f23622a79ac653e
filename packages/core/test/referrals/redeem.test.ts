import { describe, expect, it } from "vitest"
import { countCodes, referralWorld } from "./world.ts"

describe("redeeming a code", () => {
  it("rewards both sides, and tells of both [G7.3]", async () => {
    const { world, user, codeOf, redeem, xp, events, claims } = await referralWorld()
    const [ada, bob] = [await user(), await user()]
    const { id, code } = await codeOf(ada)
    const claim = await world.run(redeem(bob, code.toLowerCase()))
    expect(claim).toMatchObject({
      ...{ referral_code_id: id, code, claimed_at: world.clock.now(), reward: { xp: 10, skipped: [] } },
    })
    expect([await xp(ada), await xp(bob)]).toEqual([5, 10])
    expect(await events(bob)).toEqual([{ event_name: "referral_redeemed", properties: { code, referrer_id: ada } }])
    expect(await events(ada)).toEqual([{ event_name: "referral_rewarded", properties: { code, claimer_id: bob } }])
    expect(await codeOf(ada)).toMatchObject({ total_claims: 1 })
    expect(await claims()).toMatchObject([{ id: claim.id, claimer_id: bob, referrer_id: ada }])
  })

  it("rewards the claimer alone where the code has no owner [G7.3]", async () => {
    const { world, user, promo, redeem, xp, events } = await referralWorld()
    const bob = await user()
    await promo()
    expect(await world.run(redeem(bob, "Promo"))).toMatchObject({ code: "PROMO", reward: { xp: 10 } })
    expect(await xp(bob)).toBe(10)
    expect(await events(bob)).toEqual([
      { event_name: "referral_redeemed", properties: { code: "PROMO", referrer_id: null } },
    ])
  })

  it("is done once per user, ever, also when the code or its owner is gone [G7.3, G7.4]", async () => {
    const { world, projectId, user, promo, codeOf, redeem, xp, refusal } = await referralWorld()
    const [ada, bob, eve] = [await user(), await user(), await user()]
    const own = await codeOf(ada)
    const code = await promo()
    await world.run(redeem(bob, own.code))
    await world.run(redeem(eve, code.code))
    expect(await refusal(redeem(bob, own.code))).toMatchObject({ code: "ALREADY_REDEEMED", kind: "conflict" })
    await world.run(world.core.users.remove(projectId, ada))
    await world.run(world.core.referrals.remove(projectId, code.id))
    await promo({ code: "OTHER" })
    for (const again of [bob, eve])
      expect(await refusal(redeem(again, "OTHER"))).toMatchObject({ code: "ALREADY_REDEEMED" })
    expect([await xp(bob), await xp(eve)]).toEqual([10, 10])
  })

  it("is refused where the code is not there, switched off, used up, or a user's own [G7.2, G7.3]", async () => {
    const { world, projectId, user, promo, codeOf, redeem, refusal, claims } = await referralWorld()
    const [ada, bob] = [await user(), await user()]
    await promo({ max_uses: 1 })
    await world.run(redeem(ada, "PROMO"))
    expect(await refusal(redeem(bob, "PROMO"))).toMatchObject({ code: "CODE_EXHAUSTED", kind: "conflict" })
    const off = await promo({ code: "OFF" })
    await world.run(world.core.referrals.update(projectId, off.id, { is_active: false }))
    expect(await refusal(redeem(bob, "OFF"))).toMatchObject({ code: "CODE_INACTIVE", kind: "conflict" })
    for (const text of ["NOBODY", "", "no code at all", "\ud83e\udd8a", "x".repeat(100_000)])
      expect(await refusal(redeem(bob, text))).toMatchObject({ code: "CODE_NOT_FOUND", kind: "not_found" })
    const own = await codeOf(bob)
    expect(await refusal(redeem(bob, own.code))).toMatchObject({ code: "SELF_REFERRAL", kind: "conflict" })
    expect(await claims()).toHaveLength(1)
  })

  it("is refused for the code of one whom the caller has referred [G7.3]", async () => {
    const { world, user, codeOf, redeem, refusal } = await referralWorld()
    const [ada, bob, eve] = [await user(), await user(), await user()]
    await world.run(redeem(bob, (await codeOf(ada)).code))
    const ofBob = (await codeOf(bob)).code
    expect(await refusal(redeem(ada, ofBob))).toMatchObject({ code: "SELF_REFERRAL" })
    await world.run(redeem(eve, ofBob))
  })

  it("knows who has referred whom when the code was removed since [G7.3]", async () => {
    const { world, projectId, user, codeOf, redeem, refusal } = await referralWorld()
    const [ada, bob] = [await user(), await user()]
    const own = await codeOf(ada)
    await world.run(redeem(bob, own.code))
    await world.run(world.core.referrals.remove(projectId, own.id))
    expect(await refusal(redeem(ada, (await codeOf(bob)).code))).toMatchObject({ code: "SELF_REFERRAL" })
  })

  it("is refused for the code of a disabled owner, as if it were switched off", async () => {
    const { world, projectId, user, codeOf, redeem, refusal } = await referralWorld()
    const [ada, bob] = [await user(), await user()]
    const { code } = await codeOf(ada)
    await world.run(world.core.users.change(projectId, ada, { is_disabled: true }))
    expect(await refusal(redeem(bob, code))).toMatchObject({ code: "CODE_INACTIVE" })
  })

  it("asks for what the program asks for at that moment, of codes of users only [G7.2]", async () => {
    const { world, projectId, user, promo, codeOf, redeem, refusal } = await referralWorld()
    const [ada, bob] = [await user(), await user()]
    const { code } = await codeOf(ada)
    const program = await world.run(world.core.referrals.program(projectId))
    const strict = { ...program, max_account_age_hours: 1 }
    await world.run(world.core.referrals.saveProgram(projectId, { ...strict, require_account: true }))
    expect(await refusal(redeem(bob, code))).toMatchObject({ code: "NOT_ELIGIBLE", kind: "forbidden" })
    const account = { email: "eve@example.com", password: "correct horse" }
    const { user: eve } = await world.run(world.core.auth.email.signup(projectId, account))
    await world.run(redeem(eve.id, code))
    await world.run(world.core.referrals.saveProgram(projectId, strict))
    world.clock.advance("61 minutes")
    expect(await refusal(redeem(bob, code))).toMatchObject({ code: "NOT_ELIGIBLE" })
    await promo()
    await world.run(redeem(bob, "PROMO"))
  })

  it("is refused to a user who is gone", async () => {
    const { world, projectId, user, promo, redeem, refusal } = await referralWorld()
    const bob = await user()
    await promo()
    await world.run(world.core.users.remove(projectId, bob))
    expect(await refusal(redeem(bob, "PROMO"))).toMatchObject({ code: "INVALID_TOKEN" })
  })

  it("counts claims of users who are gone for the bound of the code [G7.4]", async () => {
    const { world, projectId, user, promo, redeem, refusal } = await referralWorld()
    const code = await promo({ max_uses: 1 })
    const bob = await user()
    await world.run(redeem(bob, "PROMO"))
    await world.run(world.core.users.remove(projectId, bob))
    expect(await refusal(redeem(await user(), "PROMO"))).toMatchObject({ code: "CODE_EXHAUSTED" })
    expect(await world.run(world.core.referrals.stats(projectId, code.id, { limit: 10, offset: 0 }))).toMatchObject({
      ...{ total_claims: 1, claims: [] },
    })
  })
})

describe("statistics of a code", () => {
  it("have the code, and its claims the newest first [G7.4]", async () => {
    const { world, projectId, user, promo, redeem } = await referralWorld()
    const code = await promo()
    const claims = []
    for (let n = 0; n < 3; n += 1) {
      world.clock.advance("1 second")
      claims.unshift(await world.run(redeem(await user(), "PROMO")))
    }
    const stats = await world.run(world.core.referrals.stats(projectId, code.id, { limit: 2, offset: 0 }))
    expect(stats).toMatchObject({ referral_code: { ...code, total_claims: 3 }, total_claims: 3 })
    expect(stats.claims.map(({ id }) => id)).toEqual(claims.slice(0, 2).map(({ id }) => id))
  })
})

describe("codes that are not there", () => {
  it("are 20 an hour for a user; then every code is refused, and nobody else is [G7.2]", async () => {
    const { world, user, promo, redeem, refusal } = await referralWorld()
    const [bob, eve] = [await user(), await user()]
    await promo()
    for (let guess = 0; guess < 20; guess += 1)
      expect(await refusal(redeem(bob, guess % 2 === 0 ? `GUESS-${guess}` : "?"))).toMatchObject({
        code: "CODE_NOT_FOUND",
      })
    for (const text of ["GUESS-20", "PROMO"])
      expect(await refusal(redeem(bob, text))).toMatchObject({
        ...{ code: "RATE_LIMIT_EXCEEDED", details: { retry_after_seconds: 3_600 } },
      })
    await world.run(redeem(eve, "PROMO"))
    world.clock.advance("1 hour")
    await world.run(redeem(bob, "PROMO"))
  })

  it("are counted before they are tried: of 50 at once 20 are [G7.2]", async () => {
    const { user, redeem, together } = await referralWorld()
    const bob = await user()
    const exits = await together(Array.from({ length: 50 }, (_, n) => redeem(bob, `GUESS-${n}`)))
    expect(countCodes(exits)).toEqual({ CODE_NOT_FOUND: 20, RATE_LIMIT_EXCEEDED: 30 })
  })

  it("are no other refusals [G7.2]", async () => {
    const { world, user, codeOf, redeem, refusal } = await referralWorld()
    const bob = await user()
    const { code } = await codeOf(bob)
    for (let tries = 0; tries < 25; tries += 1)
      expect(await refusal(redeem(bob, code))).toMatchObject({ code: "SELF_REFERRAL" })
    expect(world.deaths).toEqual([])
  })
})
