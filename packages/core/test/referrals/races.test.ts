import { describe, expect, it } from "vitest"
import { countCodes, referralWorld } from "./world.ts"

describe("many at once", () => {
  it("redeem a code as often as it may be: of 20 five are rewarded, and its owner five times [G7.3]", async () => {
    const { projectId, world, user, codeOf, redeem, together, xp, claims } = await referralWorld({ max_uses: 5 })
    const ada = await user()
    const { id, code } = await codeOf(ada)
    const users = await Promise.all(Array.from({ length: 20 }, user))
    expect(countCodes(await together(users.map((each) => redeem(each, code))))).toEqual({ ok: 5, CODE_EXHAUSTED: 15 })
    const given = await Promise.all(users.map(xp))
    expect(given.filter((total) => total === 10)).toHaveLength(5)
    expect(given.filter((total) => total === 0)).toHaveLength(15)
    expect([await xp(ada), (await claims()).length]).toEqual([25, 5])
    const stats = await world.run(world.core.referrals.stats(projectId, id, { limit: 10, offset: 0 }))
    expect([stats.total_claims, stats.claims.length]).toEqual([5, 5])
  })

  it("redeem a developer's code as often as it may be [G7.3]", async () => {
    const { user, promo, redeem, together, claims } = await referralWorld()
    await promo({ max_uses: 5 })
    const users = await Promise.all(Array.from({ length: 20 }, user))
    const exits = await together(users.map((each) => redeem(each, "PROMO")))
    expect(countCodes(exits)).toEqual({ ok: 5, CODE_EXHAUSTED: 15 })
    expect(await claims()).toHaveLength(5)
  })

  it("let a user redeem one of many codes, once [G7.3]", async () => {
    const { user, promo, redeem, together, xp } = await referralWorld()
    const bob = await user()
    const codes = await Promise.all(Array.from({ length: 8 }, (_, n) => promo({ code: `PROMO-${n}` })))
    const exits = await together(codes.flatMap(({ code }) => [redeem(bob, code), redeem(bob, code)]))
    expect(countCodes(exits)).toEqual({ ok: 1, ALREADY_REDEEMED: 15 })
    expect(await xp(bob)).toBe(10)
  })

  it("refer each other in one direction, without a deadlock [G7.3]", async () => {
    const { user, codeOf, redeem, together, xp } = await referralWorld()
    for (let round = 0; round < 10; round += 1) {
      const [ada, bob] = [await user(), await user()]
      const [ofAda, ofBob] = [(await codeOf(ada)).code, (await codeOf(bob)).code]
      const exits = await together([redeem(ada, ofBob), redeem(bob, ofAda), redeem(ada, ofBob), redeem(bob, ofAda)])
      const { ok, SELF_REFERRAL, ALREADY_REDEEMED } = countCodes(exits)
      expect([ok, SELF_REFERRAL, ALREADY_REDEEMED]).toEqual([1, 2, 1])
      expect((await xp(ada)) + (await xp(bob))).toBe(15)
    }
  })

  it("refer each other in a circle of three, each once", async () => {
    const { user, codeOf, redeem, together, xp } = await referralWorld()
    const users = [await user(), await user(), await user()]
    const codes = await Promise.all(users.map(codeOf))
    const exits = await together(users.map((each, at) => redeem(each, codes[(at + 1) % 3]?.code ?? "")))
    expect(countCodes(exits)).toEqual({ ok: 3 })
    expect(await Promise.all(users.map(xp))).toEqual([15, 15, 15])
  })

  it("meet the removal of the owner, the claimer or the code: all of it happens, or nothing [G7.3]", async () => {
    for (const what of ["owner", "claimer", "code", "switch"] as const) {
      const { world, projectId, user, codeOf, redeem, together, xp, claims } = await referralWorld()
      const { referrals, users } = world.core
      const [ada, bob, eve] = [await user(), await user(), await user()]
      const { id, code } = await codeOf(ada)
      const change = {
        owner: users.remove(projectId, ada),
        claimer: users.remove(projectId, bob),
        code: referrals.remove(projectId, id),
        switch: referrals.update(projectId, id, { is_active: false }),
      }[what]
      const exits = await together<unknown, { readonly code: string }>([redeem(bob, code), change, redeem(eve, code)])
      const codes = countCodes(exits)
      for (const each of Object.keys(codes))
        expect(["ok", "CODE_NOT_FOUND", "CODE_INACTIVE", "INVALID_TOKEN"]).toContain(each)
      const claimed = (await claims()).map(({ claimer_id }) => claimer_id)
      for (const each of [bob, eve]) expect([each, await xp(each)]).toEqual([each, claimed.includes(each) ? 10 : 0])
      if (what === "code" || what === "switch") expect(await xp(ada)).toBe(5 * claimed.length)
    }
  })
})
