import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { referralWorld } from "./world.ts"

/** A world with coins, of which a wallet holds 1,000. */
const moneyWorld = async () => {
  const world = await referralWorld()
  const { clock, ports } = world.world
  await world.read((db) =>
    Effect.orDie(
      db.currencies.insert({
        ...{ id: ports.ids.uuid(), code: "COINS", name: "Coins", description: null, is_premium: false, rules: 0 },
        ...{ initial_balance: 0, max_balance: 1_000, auto_recharge_amount: null, auto_recharge_interval_hours: null },
        created_at: clock.now(),
      }),
    ),
  )
  const coins = async (userId: string) =>
    (await world.read((db) => db.wallets.transactions(userId, { limit: 10, offset: 0 }))).rows.map(
      ({ transaction_type, source, reference_id, amount, balance_after }) => ({
        ...{ transaction_type, source, reference_id, amount, balance_after },
      }),
    )
  return { ...world, coins }
}

describe("rewards of a referral", () => {
  it("are credited to both, and name the claim [G4.5, G7.3]", async () => {
    const { world, projectId, user, codeOf, redeem, coins } = await moneyWorld()
    const { referrals } = world.core
    const program = await world.run(referrals.program(projectId))
    const rewards = {
      reward_referrer: { currencies: { COINS: 2.5 } },
      reward_referee: { currencies: { COINS: 5_000 }, xp: 1 },
    }
    await world.run(referrals.saveProgram(projectId, { ...program, ...rewards }))
    const [ada, bob] = [await user(), await user()]
    const { id, reward } = await world.run(redeem(bob, (await codeOf(ada)).code))
    // What is answered is what fitted into the wallet.
    expect(reward).toEqual({ currencies: { COINS: 1_000 }, xp: 1, skipped: [] })
    const entry = { transaction_type: "reward", source: "referral", reference_id: id }
    expect((await coins(bob))[0]).toEqual({ ...entry, amount: 1_000, balance_after: 1_000 })
    expect((await coins(ada))[0]).toEqual({ ...entry, amount: 2.5, balance_after: 2.5 })
    expect(await world.run(world.tenants.read(projectId, (db) => db.wallets.verify()))).toMatchObject({
      mismatches: [],
    })
  })

  it("leave out what is gone since the code was made, and name it [G5.1]", async () => {
    const { world, user, promo, redeem, read, coins } = await moneyWorld()
    await promo({ reward_referee: { currencies: { COINS: 5 }, xp: 3 } })
    await read((db) => db.currencies.remove({ code: "COINS" }))
    const bob = await user()
    expect((await world.run(redeem(bob, "PROMO"))).reward).toEqual({ xp: 3, skipped: ["COINS"] })
    expect(await coins(bob)).toEqual([])
  })

  it("are kept with the claim as they were given", async () => {
    const { world, user, promo, redeem, claims } = await moneyWorld()
    await promo({ reward_referee: { currencies: { COINS: 5 }, entitlements: [{ entitlement_id: "pro", days: 7 }] } })
    const { reward } = await world.run(redeem(await user(), "PROMO"))
    expect(reward).toEqual({
      ...{ currencies: { COINS: 5 }, entitlements: [{ entitlement_id: "pro", days: 7 }], skipped: [] },
    })
    expect(await claims()).toMatchObject([{ reward }])
  })
})
