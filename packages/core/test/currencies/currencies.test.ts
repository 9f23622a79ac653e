import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { moneyWorld } from "./world.ts"

const nobody = "00000000-0000-4000-8000-000000000000"
const recharging = { max_balance: 10, auto_recharge_amount: 2, auto_recharge_interval_hours: 1 }

describe("the currencies of a project", () => {
  it("have the defaults of the spec, and are listed by code [G4.1]", async () => {
    const { create, projectId, world } = await moneyWorld()
    const gold = await create()
    expect(gold).toEqual({
      ...{ id: expect.any(String), code: "GOLD", name: "Gold", description: null, is_premium: false },
      ...{ initial_balance: 0, max_balance: null, auto_recharge_amount: null, auto_recharge_interval_hours: null },
      created_at: world.clock.now(),
    })
    const energy = await create({ code: "ENERGY", is_premium: true, ...recharging, initial_balance: 10 })
    const page = await world.run(world.core.currencies.list(projectId, { limit: 10, offset: 0 }))
    expect(page).toEqual({ rows: [energy, gold], total: 2 })
  })

  it("have a code once [G4.1]", async () => {
    const { create, effects, refusal } = await moneyWorld()
    await create()
    expect(await refusal(effects.create({}))).toBe("CODE_EXISTS")
  })

  it("are at most 100, however many are made at once [G0.6]", async () => {
    const { create, effects, refusal, world, projectId } = await moneyWorld()
    for (let at = 0; at < 95; at += 1) await create({ code: `C${at}` })
    const tries = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => create({ code: `D${at}` })))
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(5)
    expect(await refusal(effects.create({}))).toBe("LIMIT_REACHED")
    expect((await world.run(world.core.currencies.list(projectId, { limit: 1, offset: 0 }))).total).toBe(100)
  })

  it("change in the fields that are given, against those that are stored [G4.1, G4.2]", async () => {
    const { change, changeRefused, create } = await moneyWorld()
    const made = await create({ ...recharging, initial_balance: 5 })
    expect(await change(made.id, {})).toEqual(made)
    const changed = await change(made.id, {
      name: "Energy",
      description: "Fuel",
      is_premium: true,
      initial_balance: 10,
    })
    expect(changed).toEqual({ ...made, name: "Energy", description: "Fuel", is_premium: true, initial_balance: 10 })
    expect(await changeRefused(made.id, { max_balance: 9 })).toBe("INVALID_INPUT")
    expect(await changeRefused(made.id, { auto_recharge_amount: null })).toBe("INVALID_INPUT")
    expect(await changeRefused(made.id, { max_balance: "9" })).toBe("INVALID_AMOUNT")
    expect(await changeRefused(nobody, { name: "N" })).toBe("NOT_FOUND")
    expect(await change(made.id, { max_balance: 9, initial_balance: 9 })).toMatchObject({ max_balance: 9 })
  })

  it("leave their transactions when they are removed, and a new one of the code starts anew [G4.9]", async () => {
    const { balance, create, grant, history, ledger, remove, verify, own } = await moneyWorld()
    const old = await create({ initial_balance: 3 })
    await grant(4)
    await remove(old.id)
    await remove(old.id)
    expect(await own()).toBeUndefined()
    expect(await history()).toEqual(["initial 3", "grant 4"])
    expect(await verify()).toEqual({ wallets: 0, transactions: 0, mismatches: [] })
    const { id } = await create({ initial_balance: 1 })
    expect(await balance()).toBe(1)
    expect((await grant(1)).balance).toBe(2)
    expect(await history()).toEqual(["initial 3", "grant 4", "initial 1", "grant 1"])
    expect(new Set((await ledger()).map(({ currency_id }) => currency_id))).toEqual(new Set([old.id, id]))
    expect(await verify()).toEqual({ wallets: 1, transactions: 2, mismatches: [] })
  })

  it("lose their prices with them [G4.9]", async () => {
    const { create, projectId, remove, world } = await moneyWorld()
    const [gold] = [await create(), await create({ code: "GEMS" })]
    const item = { key: "hat", name: "Hat", description: null, icon_url: null, item_type: "hat", metadata: {} }
    const stored = await world.run(
      world.core.catalog.create(projectId, {
        ...{ ...item, contents: null, is_active: true, prices: { GOLD: 1, GEMS: 2 } },
      }),
    )
    await remove(gold.id)
    const { rows } = await world.run(world.core.catalog.list(projectId, { limit: 10, offset: 0 }))
    expect(rows).toEqual([{ ...stored, prices: { GEMS: 2 } }])
  })
})

describe("a wallet", () => {
  it("is not written by reading: untouched it has the initial balance and does not recharge [G4.4, G4.6]", async () => {
    const { create, history, own, world } = await moneyWorld()
    await create({ ...recharging, initial_balance: 3, description: "Fuel" })
    world.clock.advance("5 hours")
    expect(await own()).toEqual({
      ...{ code: "GOLD", name: "Gold", description: "Fuel", is_premium: false },
      ...{ balance: 3, max_balance: 10, next_recharge_at: null },
    })
    expect(await history()).toEqual([])
  })

  it("has a ledger that is read on after a transaction of its user alone", async () => {
    const { world, projectId, userId, create, grant, refusal } = await moneyWorld()
    await create()
    const { userId: other } = await world.aSignedInUser(projectId)
    for (const amount of [1, 2, 3]) await grant(amount)
    const ledger = (cursor: { readonly id: string; readonly total: number } | "start", user = userId) =>
      world.core.currencies.ledger(projectId, user, { limit: 2, offset: 0, cursor })
    const first = await world.run(ledger("start"))
    const cursor = first.next_cursor ?? "start"
    expect(first).toMatchObject({ rows: [{ amount: 3 }, { amount: 2 }], total: 4, next_cursor: { total: 4 } })
    await grant(4)
    expect(await world.run(ledger(cursor))).toMatchObject({ rows: [{ amount: 1 }, { amount: 0 }], total: 4 })
    expect(await refusal(ledger(cursor, other))).toBe("INVALID_CURSOR")
    expect(await refusal(ledger({ id: other, total: 4 }))).toBe("INVALID_CURSOR")
  })

  it("begins with the initial balance as a transaction, even with nothing [E5, G4.5]", async () => {
    const { create, grant, ledger, userId, world } = await moneyWorld()
    const { id } = await create()
    await grant(5, "GOLD", null, "welcome")
    const shared = { id: expect.any(String), app_user_id: userId, currency_id: id, currency_code: "GOLD" }
    const at = { created_at: world.clock.now() }
    expect(await ledger()).toEqual([
      {
        ...{ ...shared, ...at, amount: 5, balance_after: 5 },
        ...{ transaction_type: "grant", source: "admin", reference_id: "welcome" },
      },
      {
        ...{ ...shared, ...at, amount: 0, balance_after: 0 },
        ...{ transaction_type: "initial", source: "system", reference_id: null },
      },
    ])
  })

  it("recharges from its first touch on: shown at once, written when it is touched [G4.4]", async () => {
    const { create, history, own, spend, world } = await moneyWorld()
    await create({ ...recharging, initial_balance: 3 })
    await spend(3)
    world.clock.advance("90 minutes")
    const next = new Date("2026-03-01T14:00:00.000Z")
    expect(await own()).toMatchObject({ balance: 2, next_recharge_at: next })
    expect(await history()).toEqual(["initial 3", "spend -3"])
    await spend(1)
    expect(await own()).toMatchObject({ balance: 1, next_recharge_at: next })
    expect(await history()).toEqual(["initial 3", "spend -3", "recharge 2", "spend -1"])
    world.clock.advance("1 day")
    expect(await own()).toMatchObject({ balance: 10, next_recharge_at: null })
  })

  it("banks no time while full: its intervals begin when it is spent from [E5, G4.4]", async () => {
    const { create, own, spend, world } = await moneyWorld()
    await create({ ...recharging, initial_balance: 10 })
    await spend(1)
    world.clock.advance("61 minutes")
    expect(await own()).toMatchObject({ balance: 10, next_recharge_at: null })
    world.clock.advance("10 hours")
    await spend(5)
    const next = new Date(world.clock.now().getTime() + 3_600_000)
    expect(await own()).toMatchObject({ balance: 5, next_recharge_at: next })
    world.clock.advance("59 minutes")
    expect(await own()).toMatchObject({ balance: 5 })
  })

  it("keeps what has recharged by the old rule when that changes, and counts from then on [G4.4]", async () => {
    const { change, create, history, own, spend, verify, world } = await moneyWorld()
    const { id } = await create({ ...recharging, initial_balance: 10 })
    await spend(9)
    world.clock.advance("90 minutes")
    await change(id, { auto_recharge_amount: 5 })
    expect(await own()).toMatchObject({ balance: 3, next_recharge_at: new Date("2026-03-01T14:30:00.000Z") })
    expect(await history()).toEqual(["initial 10", "spend -9", "recharge 2"])
    world.clock.advance("60 minutes")
    expect(await own()).toMatchObject({ balance: 8 })
    await change(id, { auto_recharge_amount: null, auto_recharge_interval_hours: null })
    expect(await own()).toMatchObject({ balance: 8, next_recharge_at: null })
    world.clock.advance("5 hours")
    await change(id, { auto_recharge_amount: 1, auto_recharge_interval_hours: 2 })
    expect(await own()).toMatchObject({ balance: 8, next_recharge_at: new Date("2026-03-01T21:30:00.000Z") })
    expect(await verify()).toMatchObject({ wallets: 1, mismatches: [] })
  })

  it("goes on counting where a change leaves maximum and recharge as they are [G4.4]", async () => {
    const { change, create, own, spend, world } = await moneyWorld()
    const { id } = await create({ ...recharging, initial_balance: 10 })
    await spend(9)
    world.clock.advance("30 minutes")
    await change(id, { name: "Energy", initial_balance: 1, max_balance: 10, auto_recharge_amount: 2 })
    expect(await own()).toMatchObject({ balance: 1, next_recharge_at: new Date("2026-03-01T13:00:00.000Z") })
  })

  it("keeps a balance over a lowered maximum, and gets nothing until it is below [G4.4]", async () => {
    const { change, create, grant, own, spend, world } = await moneyWorld()
    const { id } = await create({ ...recharging, initial_balance: 0 })
    await grant(10)
    await change(id, { max_balance: 4 })
    expect(await own()).toMatchObject({ balance: 10, max_balance: 4, next_recharge_at: null })
    expect((await grant(1)).transaction.amount).toBe(0)
    await spend(5)
    world.clock.advance("3 hours")
    expect(await own()).toMatchObject({ balance: 5 })
    await spend(4)
    world.clock.advance("1 hour")
    expect(await own()).toMatchObject({ balance: 3 })
  })

  it("is settled at an instant after those who changed it before [G4.4]", async () => {
    const { world, projectId, userId, create, grant, change, ledger } = await moneyWorld()
    const { id } = await create(recharging)
    await grant(1)
    world.clock.advance("1 hour")
    const before = Promise.withResolvers<void>()
    const holding = world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.andThen(
          db.wallets.openOne(userId, "GOLD"),
          Effect.promise(() => before.promise),
        ),
      ),
    )
    const changing = change(id, { auto_recharge_amount: 3 })
    for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate)
    world.clock.advance("2 seconds")
    before.resolve()
    await Promise.all([holding, changing])
    const [newest] = await ledger()
    expect(newest).toMatchObject({ transaction_type: "recharge", amount: 2, created_at: world.clock.now() })
  })
})
