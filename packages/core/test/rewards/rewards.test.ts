import { lockPurses } from "@hearth/core/currencies"
import { type Gift, makeGiveRewards, parseReward } from "@hearth/core/rewards"
import { anId } from "@hearth/testing"
import { Effect, Result } from "effect"
import { describe, expect, it, test } from "vitest"
import { storeWorld } from "../stores/world.ts"

const start = new Date("2026-03-01T12:00:00.000Z")
const day = 86_400_000
const inDays = (days: number) => new Date(start.getTime() + days * day)

const rewardWorld = async () => {
  const world = await storeWorld()
  const { core, item, projectId, run, transact, userId } = world
  const arrow = await item({ key: "arrow" })
  const giveRewards = makeGiveRewards(world.world.ports)
  const gift = (reward: unknown, more: Partial<Gift> = {}): Gift => ({
    ...{ app_user_id: userId, reward: Result.getOrThrow(parseReward(reward)), cause: `tests/${anId()}` },
    ...{ source: "referral", reference_id: "why", ...more },
  })
  const give = (...gifts: ReadonlyArray<Gift>) =>
    transact((db) =>
      Effect.andThen(
        lockPurses(
          db,
          gifts.map(({ app_user_id }) => app_user_id),
        ),
        giveRewards(db, gifts, world.world.clock.now()),
      ),
    )
  const byHand = (reward: unknown, more: { reason?: string | null; key?: string; to?: string } = {}) => {
    const { reason, key = null, to = userId } = more
    return core.rewards.give(projectId, to, { reward, ...(reason !== undefined && { reason }) }, key)
  }
  const grant = (fields: object, entitlement_id = "pro") =>
    run(core.entitlements.grant(projectId, userId, { is_active: true, ...fields, entitlement_id }))
  const giveDays = (days: number | null, entitlement_id = "pro") =>
    give(gift({ entitlements: [{ entitlement_id, days }] }))
  return { ...world, arrow, gift, give, byHand, grant, giveDays }
}

describe("giving rewards [G5.1]", () => {
  it("gives every part, and writes down what for", async () => {
    const { balance, entitlement, events, gift, give, owned, transactions, xp } = await rewardWorld()
    const reward = {
      ...{ currencies: { GOLD: 1.5, GEMS: 2 }, xp: 7, items: [{ key: "arrow", quantity: 3 }] },
      entitlements: [{ entitlement_id: "pro", days: 30 }],
    }
    expect(await give(gift(reward))).toEqual([{ ...reward, skipped: [] }])
    expect([await balance(), await balance("GEMS"), await xp()]).toEqual([1.5, 2, 7])
    expect(await owned()).toMatchObject([{ key: "arrow", quantity: 3 }])
    expect(await entitlement("pro")).toMatchObject({
      is_active: true,
      expiration_date: inDays(30),
      purchase_date: start,
    })
    const rows = (await transactions()).filter(({ transaction_type }) => transaction_type === "reward")
    expect(rows.map(({ source, reference_id }) => [source, reference_id])).toEqual([
      ["referral", "why"],
      ["referral", "why"],
    ])
    expect(await events("xp_awarded")).toMatchObject([
      { properties: { amount: 7, source: "reward", reference_id: "why", total: 7 }, occurred_at: start },
    ])
  })

  it("names only what it gave", async () => {
    const { gift, give } = await rewardWorld()
    expect(await give(gift({ xp: 1 }))).toEqual([{ xp: 1, skipped: [] }])
    expect(await give(gift({}))).toEqual([{ skipped: [] }])
  })

  it("skips what is not there any more, and names it", async () => {
    const { gift, give, balance } = await rewardWorld()
    const reward = {
      ...{ currencies: { LOST: 5, GOLD: 1 }, xp: 1 },
      items: [
        { key: "none", quantity: 1 },
        { key: "arrow", quantity: 2 },
      ],
    }
    expect(await give(gift(reward))).toEqual([
      { currencies: { GOLD: 1 }, xp: 1, items: [{ key: "arrow", quantity: 2 }], skipped: ["LOST", "none"] },
    ])
    expect(await give(gift({ currencies: { LOST: 5 }, items: [{ key: "none", quantity: 1 }] }))).toEqual([
      { skipped: ["LOST", "none"] },
    ])
    expect(await balance()).toBe(1)
  })

  it("answers what was left after clamping", async () => {
    const { arrow, balance, currency, gift, give, transact, userId } = await rewardWorld()
    await currency("CAPPED", { max_balance: 10, initial_balance: 4 })
    const capped = gift({ currencies: { CAPPED: 100 } })
    expect(await give(capped)).toEqual([{ currencies: { CAPPED: 6 }, skipped: [] }])
    expect(await give(gift({ currencies: { CAPPED: 1 } }))).toEqual([{ currencies: { CAPPED: 0 }, skipped: [] }])
    expect(await balance("CAPPED")).toBe(10)
    const most = { id: anId(), app_user_id: userId, catalog_item_id: arrow.id, quantity: 2_147_483_647 - 5 }
    await transact((db) => db.inventory.add([most], start))
    const items = (quantity: number) => gift({ items: [{ key: "arrow", quantity }] })
    expect(await give(items(9))).toEqual([{ items: [{ key: "arrow", quantity: 5 }], skipped: [] }])
    expect(await give(items(9))).toEqual([{ items: [{ key: "arrow", quantity: 0 }], skipped: [] }])
  })

  it("gives the greatest of everything exactly", async () => {
    const { balance, gift, give, xp } = await rewardWorld()
    const reward = {
      currencies: { GOLD: 900_000_000_000 },
      xp: 1_000_000_000,
      items: [{ key: "arrow", quantity: 1_000_000 }],
    }
    expect(await give(gift(reward))).toEqual([{ ...reward, skipped: [] }])
    expect(await give(gift({ currencies: { GOLD: 0.0001 } }))).toEqual([{ currencies: { GOLD: 0 }, skipped: [] }])
    expect([await balance(), await xp()]).toEqual([900_000_000_000, 1_000_000_000])
  })

  it("gives once per cause, and answers the same again", async () => {
    const { balance, entitlement, gift, give, owned, xp } = await rewardWorld()
    const reward = {
      ...{ currencies: { GOLD: 1 }, xp: 1, items: [{ key: "arrow", quantity: 1 }] },
      entitlements: [{ entitlement_id: "pro", days: 1 }],
    }
    const once = gift(reward, { cause: "tests/once" })
    const [first] = await give(once)
    expect(await give({ ...once, reward: gift({ xp: 99 }).reward })).toEqual([first])
    expect([await balance(), await xp()]).toEqual([1, 1])
    expect(await owned()).toMatchObject([{ quantity: 1 }])
    expect(await entitlement("pro")).toMatchObject({ expiration_date: inDays(1) })
  })

  it("gives several users theirs, in their order, known causes too", async () => {
    const { balance, gift, give, owned, user, xp } = await rewardWorld()
    const other = await user()
    const third = await user()
    const known = gift({ xp: 3 }, { app_user_id: other, cause: "tests/known" })
    await give(known)
    const mine = gift({ currencies: { GOLD: 2, LOST: 1 }, items: [{ key: "arrow", quantity: 1 }] })
    const theirs = gift(
      { currencies: { GOLD: 5 }, xp: 4, items: [{ key: "arrow", quantity: 9 }] },
      { app_user_id: third },
    )
    expect(await give(mine, known, theirs)).toEqual([
      { currencies: { GOLD: 2 }, items: [{ key: "arrow", quantity: 1 }], skipped: ["LOST"] },
      { xp: 3, skipped: [] },
      { currencies: { GOLD: 5 }, xp: 4, items: [{ key: "arrow", quantity: 9 }], skipped: [] },
    ])
    expect([await balance(), await balance("GOLD", third), await xp(other), await xp(third)]).toEqual([2, 5, 3, 4])
    expect((await owned(third))[0]).toMatchObject({ quantity: 9 })
  })
})

describe("entitlements of rewards [G5.1, E7]", () => {
  it("follow one another: from now, or from the end of the last one", async () => {
    const { entitlement, giveDays, world } = await rewardWorld()
    await giveDays(10)
    await giveDays(5)
    expect(await entitlement("pro")).toMatchObject({ expiration_date: inDays(15) })
    await world.advance("20 days")
    await giveDays(5)
    expect(await entitlement("pro")).toMatchObject({ expiration_date: inDays(25) })
    await giveDays(null)
    await giveDays(5)
    expect(await entitlement("pro")).toMatchObject({ is_active: true, expiration_date: null })
  })

  it("last one after the other also within one reward, each by its name", async () => {
    const { entitlement, gift, give } = await rewardWorld()
    const days = (entitlement_id: string, n: number) => ({ entitlement_id, days: n })
    await give(gift({ entitlements: [days("a", 1), days("b", 5), days("a", 2)] }))
    expect(await entitlement("a")).toMatchObject({ expiration_date: inDays(3) })
    expect(await entitlement("b")).toMatchObject({ expiration_date: inDays(5) })
  })

  it("stand beside what developers grant: the longer one is shown", async () => {
    const { entitlement, giveDays, grant } = await rewardWorld()
    await grant({ expiration_date: inDays(10), product_id: "gold", raw_data: { by: "support" } })
    await giveDays(5)
    expect(await entitlement("pro")).toMatchObject({ expiration_date: inDays(10), product_id: "gold" })
    await giveDays(20)
    expect(await entitlement("pro")).toMatchObject({ expiration_date: inDays(25), product_id: null, raw_data: {} })
    // What is left out keeps what developers have granted, which the reward did not change.
    expect((await grant({ expiration_date: inDays(90) })).row).toMatchObject({
      ...{ expiration_date: inDays(90), product_id: "gold", raw_data: { by: "support" }, is_active: true },
    })
    expect((await grant({ expiration_date: inDays(1) })).row).toMatchObject({ expiration_date: inDays(25) })
  })

  it("do not lift a developer's denial, which ends with the next grant", async () => {
    const { entitlement, gift, give, giveDays, grant } = await rewardWorld()
    await giveDays(5)
    expect(await grant({ is_active: false })).toMatchObject({ created: false, row: { is_active: false } })
    const more = await give(gift({ entitlements: [{ entitlement_id: "pro", days: 5 }] }))
    expect(more).toEqual([{ entitlements: [{ entitlement_id: "pro", days: 5 }], skipped: [] }])
    expect(await entitlement("pro")).toMatchObject({ is_active: false })
    expect((await grant({ expiration_date: inDays(1) })).row).toMatchObject({
      ...{ is_active: true, expiration_date: inDays(10) },
    })
  })

  it("are seen by the user and by segments at once", async () => {
    const { core, giveDays, projectId, run, userId, world } = await rewardWorld()
    const isMember = async () => {
      const rules = { operator: "AND", conditions: [{ field: "entitlements.pro", op: "eq", value: true }] }
      return (await run(core.segments.preview(projectId, rules))).user_count === 1
    }
    expect(await isMember()).toBe(false)
    await giveDays(5)
    expect((await run(core.users.me(projectId, userId))).entitlements).toMatchObject([
      { entitlement_id: "pro", is_active: true, expiration_date: inDays(5) },
    ])
    expect(await isMember()).toBe(true)
    await world.advance("5 days")
    expect(await isMember()).toBe(false)
  })

  it("are cut where time ends", async () => {
    const { gift, give, giveDays } = await rewardWorld()
    const end = Math.floor((Date.parse("9999-12-31T23:59:59.999Z") - start.getTime()) / day)
    for (let left = end - 10; left > 0; left -= 36_500) await giveDays(Math.min(left, 36_500))
    const answer = await give(gift({ entitlements: [{ entitlement_id: "pro", days: 36_500 }] }))
    expect(answer).toEqual([{ entitlements: [{ entitlement_id: "pro", days: 10 }], skipped: [] }])
  })

  it("of several that come at once are all given", async () => {
    const { byHand, entitlement, run } = await rewardWorld()
    const calls = Array.from({ length: 6 }, () => byHand({ entitlements: [{ entitlement_id: "pro", days: 1 }] }))
    await run(Effect.all(calls, { concurrency: "unbounded" }))
    expect(await entitlement("pro")).toMatchObject({ expiration_date: inDays(6) })
  })
})

describe("a reward by hand [G5.2]", () => {
  it("is given, from the admin, for a reason", async () => {
    const { balance, byHand, events, run, transactions } = await rewardWorld()
    const reward = { currencies: { GOLD: 5 }, xp: 2 }
    expect(await run(byHand(reward, { reason: "sorry" }))).toEqual({ reward: { ...reward, skipped: [] } })
    expect(await balance()).toBe(5)
    expect((await transactions())[0]).toMatchObject({
      transaction_type: "reward",
      source: "admin",
      reference_id: "sorry",
    })
    expect(await events("xp_awarded")).toMatchObject([{ properties: { reference_id: "sorry" } }])
    await run(byHand(reward))
    expect((await transactions())[0]).toMatchObject({ amount: 5, reference_id: null })
  })

  test.each<[string, unknown]>([
    ["none", {}],
    ["one without parts", { note: "hi", items: [] }],
    ["an unknown currency", { currencies: { LOST: 1 } }],
    ["an unknown item", { xp: 1, items: [{ key: "none", quantity: 1 }] }],
    ["a malformed one", { xp: 0 }],
    ["null", null],
    ["nothing", undefined],
  ])("cannot be %s", async (_, reward) => {
    const { byHand, code, xp } = await rewardWorld()
    expect(await code(byHand(reward))).toBe("INVALID_REWARD")
    expect(await xp()).toBe(0)
  })

  it("is for a user who is there", async () => {
    const { byHand, code } = await rewardWorld()
    expect(await code(byHand({ xp: 1 }, { to: anId() }))).toBe("USER_NOT_FOUND")
    expect(await code(byHand({ currencies: { LOST: 1 } }, { to: anId() }))).toBe("USER_NOT_FOUND")
    expect(await code(byHand({ xp: 0 }, { to: anId() }))).toBe("INVALID_REWARD")
  })

  it("is given once under a key, and more often without one [E5]", async () => {
    const { byHand, code, run, user, xp } = await rewardWorld()
    const other = await user()
    const first = await run(byHand({ xp: 1 }, { key: "k" }))
    expect(await run(byHand({ xp: 1 }, { key: "k" }))).toEqual(first)
    expect(await xp()).toBe(1)
    expect(await code(byHand({ xp: 2 }, { key: "k" }))).toBe("IDEMPOTENCY_KEY_REUSED")
    expect(await code(byHand({ xp: 1 }, { key: "k", to: other }))).toBe("IDEMPOTENCY_KEY_REUSED")
    expect(await code(byHand({ xp: 1 }, { key: "k", reason: "r" }))).toBe("IDEMPOTENCY_KEY_REUSED")
    await run(byHand({ xp: 1 }))
    await run(byHand({ xp: 1 }))
    expect(await xp()).toBe(3)
  })

  it("is given once, however many calls with the key come at once", async () => {
    const { byHand, run, xp } = await rewardWorld()
    await run(
      Effect.all(
        Array.from({ length: 10 }, () => byHand({ xp: 1 }, { key: "k" })),
        { concurrency: "unbounded" },
      ),
    )
    expect(await xp()).toBe(1)
  })
})
