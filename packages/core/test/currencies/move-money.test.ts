import type { TenantDb } from "@hearth/core"
import { lockPurses, makeWallets, type WalletAmount } from "@hearth/core/currencies"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { moneyWorld } from "./world.ts"

const nobody = "00000000-0000-4000-8000-000000000000"

describe("a grant", () => {
  it("is clamped at the maximum, and is written also where nothing of it fits [G4.2]", async () => {
    const { create, grant, history } = await moneyWorld()
    await create({ max_balance: 10.5, initial_balance: 8 })
    expect(await grant(2)).toMatchObject({ balance: 10, transaction: { amount: 2, balance_after: 10 } })
    expect(await grant(2)).toMatchObject({ balance: 10.5, transaction: { amount: 0.5 } })
    expect(await grant(900_000_000_000)).toMatchObject({ balance: 10.5, transaction: { amount: 0 } })
    expect(await history()).toEqual(["initial 8", "grant 2", "grant 0.5", "grant 0"])
  })

  it("never brings a balance over 900,000,000,000, and is exact up to there [G4.2]", async () => {
    const { balance, create, grant, spend, verify } = await moneyWorld()
    await create()
    await grant(900_000_000_000)
    // As numbers, some of these balances are the same.
    for (let times = 0; times < 7; times += 1) await spend(0.0001)
    expect(await balance()).toBe(899_999_999_999.9993)
    expect(await grant(1)).toMatchObject({ balance: 900_000_000_000, transaction: { amount: 0.0007 } })
    expect(await verify()).toMatchObject({ mismatches: [] })
  })

  it("checks the amount, then the user, then the currency [G4.3]", async () => {
    const { create, effects, refusal } = await moneyWorld()
    await create()
    expect(await refusal(effects.grant(0, "NONE", null, undefined, nobody))).toBe("INVALID_AMOUNT")
    expect(await refusal(effects.grant(1, "NONE", null, undefined, nobody))).toBe("USER_NOT_FOUND")
    expect(await refusal(effects.grant(1, "NONE"))).toBe("CURRENCY_NOT_FOUND")
    expect(await refusal(effects.grant(1, "gold"))).toBe("CURRENCY_NOT_FOUND")
  })

  it("is done once by its key, whatever has changed since [E5, G4.2]", async () => {
    const { balance, change, create, effects, grant, refusal, remove } = await moneyWorld()
    const { id } = await create()
    const first = await grant(5, "GOLD", "key", "top-up")
    await change(id, { max_balance: 6 })
    expect(await grant(5, "GOLD", "key", "top-up")).toEqual(first)
    expect(await balance()).toBe(5)
    expect(await refusal(effects.grant(6, "GOLD", "key", "top-up"))).toBe("IDEMPOTENCY_KEY_REUSED")
    expect(await refusal(effects.grant(5, "GOLD", "key"))).toBe("IDEMPOTENCY_KEY_REUSED")
    expect(await refusal(effects.grant(0, "GOLD", "key"))).toBe("INVALID_AMOUNT")
    await remove(id)
    expect(await grant(5, "GOLD", "key", "top-up")).toEqual(first)
    expect(await refusal(effects.grant(5, "GOLD", "refused"))).toBe("CURRENCY_NOT_FOUND")
    await create()
    expect(await grant(5, "GOLD", "refused")).toMatchObject({ balance: 5 })
  })
})

describe("spending", () => {
  it("takes what is there, down to nothing [G4.6]", async () => {
    const { create, effects, history, refusal, spend } = await moneyWorld()
    await create({ initial_balance: 1 })
    expect(await spend(0.9999, "GOLD", undefined, "hint")).toMatchObject({
      balance: 0.0001,
      transaction: { amount: -0.9999, transaction_type: "spend", source: "client", reference_id: "hint" },
    })
    expect(await refusal(effects.spend(0.0002))).toBe("INSUFFICIENT_BALANCE")
    expect(await spend(0.0001)).toMatchObject({ balance: 0, transaction: { reference_id: null } })
    expect(await history()).toEqual(["initial 1", "spend -0.9999", "spend -0.0001"])
  })

  it("writes nothing where it is refused, not even the beginning of the wallet", async () => {
    const { create, effects, history, refusal } = await moneyWorld()
    await create({ initial_balance: 1 })
    expect(await refusal(effects.spend(2, "GOLD", "key"))).toBe("INSUFFICIENT_BALANCE")
    expect(await history()).toEqual([])
    expect(await refusal(effects.spend(1, "NONE"))).toBe("CURRENCY_NOT_FOUND")
    expect(await refusal(effects.spend(-1, "NONE"))).toBe("INVALID_AMOUNT")
  })

  it("is done once by its key, and shares keys with nothing but the user's own calls [G4.2]", async () => {
    const { balance, create, effects, grant, refusal, spend } = await moneyWorld()
    await create({ initial_balance: 10 })
    await create({ code: "GEMS", initial_balance: 10 })
    await grant(1, "GOLD", "key")
    const first = await spend(3, "GOLD", "key")
    expect(await spend(3, "GOLD", "key")).toEqual(first)
    expect(await balance()).toBe(8)
    expect(await refusal(effects.spend(3, "GEMS", "key"))).toBe("IDEMPOTENCY_KEY_REUSED")
    expect(await refusal(effects.spend(3, "GOLD", "key", "other"))).toBe("IDEMPOTENCY_KEY_REUSED")
  })

  it("lets 10 of 30 at once take what is there for 10", async () => {
    const { balance, create, spend, verify } = await moneyWorld()
    await create({ initial_balance: 10 })
    const tries = await Promise.allSettled(Array.from({ length: 30 }, () => spend(1)))
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(10)
    expect(await balance()).toBe(0)
    expect(await verify()).toEqual({ wallets: 1, transactions: 11, mismatches: [] })
  })

  it("of users who are gone is that of nobody", async () => {
    const { create, effects, projectId, refusal, userId, world } = await moneyWorld()
    await create({ initial_balance: 10 })
    await world.run(world.core.users.remove(projectId, userId))
    expect(await refusal(effects.spend(1, "GOLD", "key"))).toBe("INVALID_TOKEN")
    expect(await refusal(world.core.currencies.own(projectId, userId))).toBe("INVALID_TOKEN")
    expect(await refusal(world.core.currencies.ofUser(projectId, userId))).toBe("USER_NOT_FOUND")
  })
})

describe("a reversal", () => {
  it("undoes a grant, and a spend; a credit is clamped as any [G4.7]", async () => {
    const { change, create, grant, history, reverse, spend } = await moneyWorld()
    const { id } = await create()
    await grant(10)
    const spent = await spend(4)
    expect(await reverse(spent.transaction.id)).toMatchObject({
      balance: 10,
      transaction: { amount: 4, transaction_type: "reversal", source: "admin", reference_id: spent.transaction.id },
    })
    const again = await spend(6)
    await change(id, { max_balance: 5 })
    expect(await reverse(again.transaction.id)).toMatchObject({ balance: 5, transaction: { amount: 1 } })
    expect(await history()).toEqual([...["initial 0", "grant 10", "spend -4", "reversal 4", "spend -6", "reversal 1"]])
  })

  it("is made once, also by many at once [G4.7]", async () => {
    const { balance, create, effects, grant, refusal, reverse } = await moneyWorld()
    await create()
    const { transaction } = await grant(10)
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => reverse(transaction.id)))
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect(await refusal(effects.reverse(transaction.id))).toBe("ALREADY_REVERSED")
    expect(await balance()).toBe(0)
  })

  it("is refused where there is not enough, or nothing to undo [G4.7]", async () => {
    const { create, effects, grant, ledger, refusal, remove, reverse, spend } = await moneyWorld()
    const { id } = await create({ initial_balance: 1 })
    const granted = await grant(10)
    await spend(2)
    expect(await refusal(effects.reverse(granted.transaction.id))).toBe("INSUFFICIENT_BALANCE")
    const initial = (await ledger()).find(({ transaction_type }) => transaction_type === "initial")
    expect(await refusal(effects.reverse(initial?.id ?? ""))).toBe("NOT_REVERSIBLE")
    await grant(1)
    const { transaction } = await reverse(granted.transaction.id)
    expect(await refusal(effects.reverse(transaction.id))).toBe("NOT_REVERSIBLE")
    expect(await refusal(effects.reverse(nobody))).toBe("NOT_FOUND")
    const left = await grant(1)
    await remove(id)
    // A new currency of the same code is another one.
    await create({ initial_balance: 100 })
    expect(await refusal(effects.reverse(left.transaction.id))).toBe("NOT_FOUND")
  })

  it("of a grant that was clamped to nothing takes nothing", async () => {
    const { create, grant, reverse } = await moneyWorld()
    await create({ max_balance: 5, initial_balance: 5 })
    const { transaction } = await grant(3)
    expect(await reverse(transaction.id)).toMatchObject({ balance: 5, transaction: { amount: 0 } })
  })
})

describe("wallets for other features", () => {
  const setup = async () => {
    const money = await moneyWorld()
    const { projectId, userId, world } = money
    const other = (await world.aSignedInUser(projectId)).userId
    const wallets = makeWallets(world.ports.ids)
    const make = (app_user_id: string, currency_code: string, amount: number): WalletAmount => ({
      ...{ app_user_id, currency_code, amount, transaction_type: "reward", source: "referral", reference_id: "r" },
    })
    const transact = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) =>
      world.tenants.transact(projectId, (db) => Effect.andThen(lockPurses(db, [userId, other]), work(db)))
    return {
      ...{ ...money, other, make },
      credit: (...amounts: ReadonlyArray<WalletAmount>) =>
        world.run(transact((db) => wallets.credit(db, amounts, world.clock.now()))),
      debit: (amount: WalletAmount) => transact((db) => wallets.debit(db, amount, world.clock.now())),
    }
  }

  it("are credited for several users and currencies in one call, each clamped, unknown codes left out [G5.1]", async () => {
    const { create, credit, make, other, userId, verify } = await setup()
    await create({ max_balance: 5 })
    await create({ code: "GEMS", initial_balance: 1 })
    const receipts = await credit(
      make(other, "GOLD", 3),
      make(userId, "NONE", 1),
      make(other, "GOLD", 3),
      make(userId, "GEMS", 0.5),
    )
    const shown = receipts.map((receipt) => receipt && [receipt.balance, receipt.transaction.amount])
    expect(shown).toEqual([[3, 3], null, [5, 2], [1.5, 0.5]])
    expect(receipts[0]?.transaction).toMatchObject({
      ...{ app_user_id: other, transaction_type: "reward", source: "referral", reference_id: "r" },
    })
    expect(await verify()).toEqual({ wallets: 2, transactions: 5, mismatches: [] })
    expect(await credit()).toEqual([])
  })

  it("are debited, or it is refused, or there is no such currency", async () => {
    const { create, debit, make, refusal, userId, world } = await setup()
    await create({ initial_balance: 2 })
    expect(await world.run(debit(make(userId, "GOLD", 1.5)))).toMatchObject({
      balance: 0.5,
      transaction: { amount: -1.5 },
    })
    expect(await refusal(debit(make(userId, "GOLD", 0.5001)))).toBe("INSUFFICIENT_BALANCE")
    expect(await world.run(debit(make(userId, "NONE", 1)))).toBeNull()
  })
})
