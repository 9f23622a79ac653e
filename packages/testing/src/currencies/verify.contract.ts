import type { TenantDb } from "@hearth/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { builtAt } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { writeUser } from "../users/tables.ts"
import { aCurrency, aWalletWith, edgeBalances } from "./builders.ts"

const at = new Date(builtAt)

/** What a project promises about the proof that balances are the sums of their transactions. */
export const verifyContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("the proof of balances [G4.8]", () => {
    it("counts what agrees, and names what does not, of currencies that are there [G4.9]", async () => {
      const db = await open()
      const verify = () => db.read((tx) => tx.wallets.verify())
      expect(await verify()).toEqual({ wallets: 0, transactions: 0, mismatches: [] })
      const [row, gone] = [aCurrency({ code: "GOLD" }), aCurrency({ code: "GONE" })]
      const owners = await Promise.all(edgeBalances.map(() => db.transact(writeUser)))
      const [first = "", second = ""] = [...owners].sort()
      await db.transact((tx) => Effect.orDie(Effect.andThen(tx.currencies.insert(row), tx.currencies.insert(gone))))
      const good = edgeBalances.map((balance, index) => aWalletWith(row, owners[index] as string, { balance }))
      const wrong = aWalletWith(gone, first, { balance: 10 })
      await db.transact((tx) =>
        tx.wallets.write(
          [...good, wrong].map(({ wallet }) => wallet),
          [...good.map(({ transaction }) => transaction), { ...wrong.transaction, amount: 9 }],
          at,
        ),
      )
      const counts = { wallets: edgeBalances.length + 1, transactions: edgeBalances.length + 1 }
      const mismatch = { app_user_id: first, currency_code: "GONE", balance: 0.001, sum: 0.0009 }
      expect(await verify()).toEqual({ ...counts, mismatches: [mismatch] })
      // A sum without a wallet is one too.
      const lone = aWalletWith(gone, second, { balance: 5 })
      await db.transact((tx) => tx.wallets.write([], [lone.transaction], at))
      const other = { app_user_id: second, currency_code: "GONE", balance: 0, sum: 0.0005 }
      expect(await verify()).toEqual({
        ...counts,
        transactions: counts.transactions + 1,
        mismatches: [mismatch, other],
      })
      await db.transact((tx) => tx.currencies.remove({ id: gone.id }))
      expect(await verify()).toEqual({ wallets: good.length, transactions: good.length, mismatches: [] })
    })
  })
