import type { TenantDb } from "@hearth/core"
import {
  type CurrencyRow,
  type CurrencyTransaction,
  fromUnits,
  maxUnits,
  readRules,
  rechargeWallet,
  type TransactionWrite,
  toUnits,
  type WalletState,
} from "@hearth/core/currencies"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, builtAt } from "../builders.ts"
import { awkwardText } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { writeUser } from "../users/tables.ts"
import { aCurrency, aWalletWith, edgeBalances } from "./builders.ts"

const at = new Date(builtAt)
const later = (millis: number) => new Date(at.getTime() + millis)
const hour = 3_600_000

/** What a project promises about wallets and their ledger. */
export const walletsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("wallets", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = () => db.transact(writeUser)
    const currency = async (given: Partial<CurrencyRow> = {}) => {
      const row = aCurrency(given)
      await db.transact((tx) => Effect.orDie(tx.currencies.insert(row)))
      return row
    }
    const write = async (row: CurrencyRow, app_user_id: string, state: Partial<WalletState> = {}) => {
      const { wallet, transaction } = aWalletWith(row, app_user_id, state)
      expect(await db.transact((tx) => tx.wallets.write([wallet], [transaction], at))).toBe(true)
      return transaction
    }
    const opened = async (app_user_id: string, { id }: CurrencyRow) => {
      const [found] = await db.transact((tx) => tx.wallets.open([{ app_user_id, currency_id: id }]))
      return found
    }
    const ledger = async (userId: string) =>
      (await db.read((tx) => tx.wallets.transactions(userId, { limit: 100, offset: 0 }))).rows

    it.each(edgeBalances)("keep %d ten-thousandths exactly [G4.2]", async (balance) => {
      const [owner, row] = [await user(), await currency()]
      const written = await write(row, owner, { balance, anchor_at: later(1) })
      expect(await opened(owner, row)).toEqual({
        ...{ app_user_id: owner, currency: row, wallet: { balance, anchor_at: later(1) } },
      })
      const { reverses_id: _, ...shown } = written
      expect(await ledger(owner)).toEqual([{ ...shown, amount: fromUnits(balance), balance_after: fromUnits(balance) }])
      expect(await db.read((tx) => tx.wallets.findTransaction(written.id))).toEqual(Option.some(written))
    })

    it("are opened with their currency, in whatever order they are asked for, also before they are there", async () => {
      const [one, two] = [await user(), await user()]
      const [a, b] = [
        await currency(),
        await currency({ max_balance: 5, initial_balance: 5, description: awkwardText }),
      ]
      await write(a, one, { balance: 10 })
      const keys = [two, one].flatMap((app_user_id) =>
        [b, a, { id: anId() }].map(({ id }) => ({ app_user_id, currency_id: id })),
      )
      const found = await db.transact((tx) => tx.wallets.open(keys))
      const shown = found.map(({ app_user_id, currency: { id }, wallet }) => [app_user_id, id, wallet?.balance ?? null])
      expect(shown).toHaveLength(4)
      for (const row of [
        [two, b.id, null],
        [two, a.id, null],
        [one, b.id, null],
        [one, a.id, 10],
      ])
        expect(shown).toContainEqual(row)
      expect(await db.transact((tx) => tx.wallets.open([]))).toEqual([])
    })

    it("are opened alone by the code of their currency", async () => {
      const [owner, row] = [await user(), await currency()]
      const one = (userId: string, code: string) => db.transact((tx) => tx.wallets.openOne(userId, code))
      const nothing = { hasUser: false, hasPurse: false, currency: null, wallet: null }
      expect(await one(anId(), "NONE")).toEqual(nothing)
      expect(await one(owner, row.code)).toEqual({ ...nothing, hasUser: true, currency: row })
      await db.transact((tx) => tx.purses.lockMany([owner]))
      expect(await one(owner, row.code)).toEqual({ hasUser: true, hasPurse: true, currency: row, wallet: null })
      await write(row, owner, { balance: 7 })
      expect((await one(owner, row.code)).wallet).toEqual({ balance: 7, anchor_at: at })
      expect((await one(owner, `${row.code}_`)).wallet).toBeNull()
    })

    it("are written by the present rules of their currency, or not at all [G4.4]", async () => {
      const [owner, row, other] = [await user(), await currency({ rules: 3 }), await currency()]
      const [stale, fresh] = [aWalletWith({ ...row, rules: 2 }, owner), aWalletWith(other, owner)]
      const both = [stale, fresh]
      const written = await db.transact((tx) =>
        tx.wallets.write(
          both.map(({ wallet }) => wallet),
          both.map(({ transaction }) => transaction),
          at,
        ),
      )
      expect([written, await ledger(owner), (await opened(owner, other))?.wallet]).toEqual([false, [], null])
      await db.transact((tx) => tx.currencies.remove({ id: row.id }))
      const { wallet, transaction } = aWalletWith(row, owner)
      expect(await db.transact((tx) => tx.wallets.write([wallet], [transaction], at))).toBe(false)
    })

    it("are written alone, with one transaction", async () => {
      const [owner, row] = [await user(), await currency()]
      await write(row, owner, { balance: 7 })
      await db.transact((tx) => tx.purses.lockMany([owner]))
      const { wallet, transaction } = aWalletWith(row, owner, { balance: 9, anchor_at: later(hour) })
      await db.transact((tx) =>
        Effect.andThen(
          tx.wallets.openOne(owner, row.code),
          tx.wallets.writeOne(wallet, { ...transaction, amount: 2 }, at),
        ),
      )
      expect((await opened(owner, row))?.wallet).toEqual({ balance: 9, anchor_at: later(hour) })
      expect((await ledger(owner)).map(({ amount }) => toUnits(amount))).toEqual([2, 7])
    })

    it("are written alone where they are there, and once in a call", async () => {
      const [owner, row] = [await user(), await currency()]
      const { wallet, transaction } = aWalletWith(row, owner, { balance: 9 })
      await db.transact((tx) => tx.wallets.writeOne(wallet, transaction, at))
      const twice = await db.attempt((tx) => tx.wallets.write([wallet, wallet], [transaction], at))
      expect(died(twice)).toBe(true)
      const debt = aWalletWith(row, owner, { balance: -1 })
      expect(died(await db.attempt((tx) => tx.wallets.write([debt.wallet], [debt.transaction], at)))).toBe(true)
      expect([(await opened(owner, row))?.wallet, await ledger(owner)]).toEqual([null, []])
    })

    it("are opened with the amounts of their currency as they are once the wallet is locked [G4.4]", async () => {
      const [owner, row] = [await user(), await currency({ max_balance: null, rules: 0 })]
      await write(row, owner, { balance: 7 })
      await db.transact((tx) => tx.purses.lockMany([owner]))
      const changing = beginOn(db)
      await changing.step((tx) => tx.currencies.lock(row.id))
      await changing.step((tx) => tx.wallets.settle(row, at))
      const opening = db.transact((tx) => tx.wallets.openOne(owner, row.code))
      expect(await isWaiting(opening)).toBe(true)
      await changing.step((tx) => Effect.orDie(tx.currencies.update(row.id, { max_balance: 3, rules: 1 })))
      await changing.commit()
      expect((await opening).currency).toMatchObject({ max_balance: 3, rules: 1 })
    })

    it("are all locked for the removal of their currency, those of other currencies are not [G4.9]", async () => {
      const [owner, row, other] = [await user(), await currency(), await currency()]
      await write(row, owner)
      await write(other, owner)
      const removing = beginOn(db)
      await removing.step((tx) => tx.wallets.lockAll(row.id))
      expect(await isWaiting(opened(owner, other), false)).toBe(false)
      const opening = opened(owner, row)
      expect(await isWaiting(opening)).toBe(true)
      await removing.commit()
      expect((await opening)?.wallet).not.toBeNull()
    })

    it("are opened after those who settle them, as they are then [G4.4]", async () => {
      const row = await currency({ ...{ max_balance: 10, auto_recharge_amount: 1, auto_recharge_interval_hours: 1 } })
      const owner = await user()
      await write(row, owner, { balance: 0, anchor_at: at })
      const settling = beginOn(db)
      await settling.step((tx) => tx.wallets.settle(row, later(2 * hour)))
      const opening = opened(owner, row)
      expect(await isWaiting(opening)).toBe(true)
      await settling.commit()
      expect((await opening)?.wallet).toEqual({ balance: toUnits(2), anchor_at: later(2 * hour) })
    })

    it("keep their currency as it is while they are begun, and no other [G4.4]", async () => {
      const [owner, row, other] = [await user(), await currency(), await currency()]
      await write(other, owner)
      const beginning = beginOn(db)
      await beginning.step((tx) =>
        tx.wallets.open([row, other].map(({ id }) => ({ app_user_id: owner, currency_id: id }))),
      )
      const lock = ({ id }: CurrencyRow) => db.transact((tx) => tx.currencies.lock(id))
      expect(await isWaiting(lock(other), false)).toBe(false)
      const changing = lock(row)
      expect(await isWaiting(changing)).toBe(true)
      await beginning.commit()
      expect(Option.isSome(await changing)).toBe(true)
    })

    it("are changed one after the other, however many do it at once", async () => {
      const [owner, row] = [await user(), await currency()]
      await write(row, owner, { balance: 5 })
      const add = (tx: TenantDb) =>
        Effect.gen(function* () {
          const { wallet } = yield* tx.wallets.openOne(owner, row.code)
          const next = aWalletWith(row, owner, { balance: (wallet?.balance ?? 0) + 1 })
          yield* tx.wallets.write([next.wallet], [{ ...next.transaction, amount: 1 }], at)
        })
      await db.transact((tx) => tx.purses.lockMany([owner]))
      await Promise.all(Array.from({ length: 20 }, () => db.transact(add)))
      expect((await opened(owner, row))?.wallet?.balance).toBe(25)
      const afters = (await ledger(owner)).map(({ balance_after }) => balance_after)
      expect(afters).toEqual([...afters].sort((a, b) => b - a))
    })

    it("have a ledger in pages, those written last first", async () => {
      const [owner, row] = [await user(), await currency()]
      const rows = [1, 2, 3].map((amount): TransactionWrite => ({ ...aWalletWith(row, owner).transaction, amount }))
      const { wallet } = aWalletWith(row, owner, { balance: 6 })
      await db.transact((tx) => tx.wallets.write([wallet], rows, at))
      const page = (limit: number, offset: number) => db.read((tx) => tx.wallets.transactions(owner, { limit, offset }))
      const amounts = async (limit: number, offset: number) => {
        const { rows: found, total } = await page(limit, offset)
        return [found.map(({ amount }) => toUnits(amount)), total]
      }
      expect(await amounts(2, 0)).toEqual([[3, 2], 3])
      expect(await amounts(2, 2)).toEqual([[1], 3])
      expect(await amounts(2, 4)).toEqual([[], 3])
      expect(await page(5, 0)).toMatchObject({ total: 3 })
      expect(await db.read((tx) => tx.wallets.transactions(anId(), { limit: 5, offset: 0 }))).toEqual({
        ...{ rows: [], total: 0 },
      })
    })

    it("have a ledger that goes on before a transaction, whatever is written meanwhile", async () => {
      const [owner, other, row] = [await user(), await user(), await currency()]
      const rows = [1, 2, 3, 4].map((amount): TransactionWrite => ({ ...aWalletWith(row, owner).transaction, amount }))
      const { wallet, transaction } = aWalletWith(row, owner, { balance: 10 })
      await db.transact((tx) => tx.wallets.write([wallet], rows, at))
      const readOn = async (index: number, limit = 2, offset = 0, userId = owner) => {
        const id = rows[index]?.id ?? anId()
        const found = await db.read((tx) => tx.wallets.transactionsBefore(userId, id, { limit, offset }))
        return found.map(({ amount }) => toUnits(amount))
      }
      expect([await readOn(3), await readOn(2, 1, 1), await readOn(0)]).toEqual([[3, 2], [1], []])
      await db.transact((tx) => tx.wallets.write([wallet], [transaction], at))
      expect([await readOn(1), await readOn(9), await readOn(3, 2, 0, other)]).toEqual([[1], [], []])
    })

    it("have transactions that are reversed once", async () => {
      const [owner, row] = [await user(), await currency()]
      const first = await write(row, owner, { balance: 1 })
      const isReversed = () => db.read((tx) => tx.wallets.isReversed(first.id))
      const { wallet, transaction } = aWalletWith(row, owner)
      const reversal = (): TransactionWrite => ({ ...transaction, id: anId(), amount: -1, reverses_id: first.id })
      const reverse = () => db.attempt((tx) => tx.wallets.write([wallet], [reversal()], at))
      expect(await isReversed()).toBe(false)
      expect((await reverse())._tag).toBe("Success")
      expect(await isReversed()).toBe(true)
      expect(died(await reverse())).toBe(true)
      expect(await db.read((tx) => tx.wallets.findTransaction(anId()))).toEqual(Option.none())
    })

    it("are shown with all currencies by code, whether or not they are there", async () => {
      const [owner, tag] = [await user(), anId().slice(-12).toUpperCase().replaceAll("-", "")]
      const [b, a] = [await currency({ code: `${tag}_B` }), await currency({ code: `${tag}_A` })]
      await write(b, owner, { balance: 3 })
      const all = await db.read((tx) => tx.wallets.ofUser(owner))
      const codes = all.map(({ currency: { code } }) => code)
      expect(codes).toEqual([...codes].sort())
      expect(all.filter(({ currency: { code } }) => code.startsWith(tag))).toEqual([
        { currency: a, wallet: null },
        { currency: b, wallet: { balance: 3, anchor_at: at } },
      ])
    })

    it("go with their user, and with their currency, whose transactions stay [G4.9]", async () => {
      const [owner, row] = [await user(), await currency()]
      await write(row, owner, { balance: 3 })
      await db.transact((tx) => Effect.andThen(tx.wallets.lockAll(row.id), tx.currencies.remove({ id: row.id })))
      expect(await ledger(owner)).toHaveLength(1)
      await db.transact((tx) => tx.purses.lockMany([owner]))
      await db.transact((tx) => tx.users.remove({ id: owner }))
      expect(await ledger(owner)).toEqual([])
    })

    it("are settled like the rule says, each with a transaction where something recharged [G4.4]", async () => {
      const row = await currency({
        ...{ initial_balance: 0, max_balance: 10, auto_recharge_amount: 1.5, auto_recharge_interval_hours: 1 },
      })
      const now = later(3 * hour)
      const states: ReadonlyArray<WalletState> = [
        0, 1, 54_999, 55_000, 55_001, 85_000, 99_999, 100_000, 200_000,
      ].flatMap((balance) =>
        [0, 1, hour - 1, hour, hour + 1, 3 * hour, 4 * hour].map((age) => ({ balance, anchor_at: later(age) })),
      )
      const owners = await Promise.all(states.map(user))
      const given = states.map((state, index) => aWalletWith(row, owners[index] as string, state))
      await db.transact((tx) =>
        tx.wallets.write(
          given.map(({ wallet }) => wallet),
          given.map(({ transaction }) => transaction),
          at,
        ),
      )
      await db.transact((tx) => tx.wallets.settle(row, now))
      const made: Array<CurrencyTransaction> = []
      for (const [index, state] of states.entries()) {
        const owner = owners[index] as string
        const { balance } = rechargeWallet(readRules(row), state, now)
        expect((await opened(owner, row))?.wallet).toEqual({ balance, anchor_at: now })
        const [newest, ...others] = await ledger(owner)
        expect(others).toHaveLength(balance > state.balance ? 1 : 0)
        if (newest === undefined || balance === state.balance) continue
        expect(newest).toMatchObject({
          ...{ amount: fromUnits(balance - state.balance), balance_after: fromUnits(balance) },
          ...{ transaction_type: "recharge", source: "system", reference_id: null, created_at: now },
        })
        made.push(newest)
      }
      // Ids are of version 7 and in the order of the users [A10].
      const byUser = made.toSorted((a, b) => (a.app_user_id < b.app_user_id ? -1 : 1)).map(({ id }) => id)
      expect(byUser).toEqual(byUser.toSorted())
      expect(byUser.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/.test(id))).toEqual([])
    })

    it("are settled at the bound of all balances where there is no maximum, and from then on without recharge", async () => {
      const [owner, row] = [
        await user(),
        await currency({ auto_recharge_amount: 900_000_000_000, auto_recharge_interval_hours: 0.0001 }),
      ]
      const plain = await currency()
      await write(row, owner, { balance: 8_999_999_999_999_997 })
      await write(plain, owner, { balance: 5 })
      await db.transact((tx) => tx.wallets.settle(row, later(hour)))
      await db.transact((tx) => tx.wallets.settle(plain, later(hour)))
      expect((await opened(owner, row))?.wallet).toEqual({ balance: maxUnits, anchor_at: later(hour) })
      expect((await opened(owner, plain))?.wallet).toEqual({ balance: 5, anchor_at: later(hour) })
    })
  })
