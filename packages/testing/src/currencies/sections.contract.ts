import type { TenantDb } from "@hearth/core"
import { currencyTransactionsSection, fromUnits, walletsSection } from "@hearth/core/currencies"
import { Effect } from "effect"
import { awkwardText, lateInstant } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aCurrency, aWalletWith } from "./builders.ts"

const writeWallets = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const currencies = [aCurrency(), aCurrency(), aCurrency()]
  yield* Effect.forEach(currencies, (row) => db.currencies.insert(row))
  const balances = [10_000, 12_345, 0]
  const given = currencies.map((row, at) => aWalletWith(row, userId, { balance: balances[at] ?? 0 }))
  const [first, ...others] = given.map(({ transaction }) => transaction)
  const transactions = [{ ...first, amount: -12_300, reference_id: awkwardText }, ...others] as typeof others
  yield* db.wallets.write(
    given.map(({ wallet }) => wallet),
    transactions,
    lateInstant,
  )
  return {
    userId,
    wallets: given.map(({ wallet: { balance, rules: _, ...wallet } }) => ({
      ...{ ...wallet, balance: fromUnits(balance), updated_at: lateInstant },
    })),
    transactions: transactions.map(({ reverses_id: _, ...row }) => ({
      ...{ ...row, amount: fromUnits(row.amount), balance_after: fromUnits(row.balance_after) },
    })),
  }
})

/** What a project promises about the wallets in the file about a user. */
export const walletsSectionContract = sectionContract(walletsSection, (db) =>
  Effect.map(writeWallets(db), ({ userId, wallets: rows }) => ({ userId, rows })),
)

/** What a project promises about the transactions in the file about a user. */
export const transactionsSectionContract = sectionContract(currencyTransactionsSection, (db) =>
  Effect.map(writeWallets(db), ({ userId, transactions: rows }) => ({ userId, rows })),
)
