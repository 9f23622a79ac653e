import type { Currencies, CurrenciesDb, CurrencyRow } from "@hearth/core/currencies"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"
import { Currency, CurrencyTransaction, Purse, Wallet } from "./entities.ts"
import { makePurses } from "./purses.ts"
import { currencies } from "./steps.ts"
import { makeWallets } from "./wallets.ts"

// "hear", "curr". Locks of this kind are known in one database only.
const lockCreation = "select pg_advisory_xact_lock(1751474546, 1668641394)"

const makeCurrencies = (statements: Statements, shape: TableShape): Currencies => ({
  ...makeTable<CurrencyRow>(statements, shape),
  lockCreation: () => Effect.asVoid(statements.rows(lockCreation)),
  count: () =>
    Effect.map(
      statements.rows<{ readonly count: number }>("select count(*)::int from currencies"),
      ([row]) => row?.count ?? 0,
    ),
  findCodes: (codes) =>
    statements.lock<CurrencyRow>(
      "currencies-of-codes",
      `select ${shape.columns.join(", ")} from currencies where code = any($1::text[])`,
      [codes],
    ),
})

/** Currencies in PostgreSQL. */
export const currenciesFeature: TenantFeature<CurrenciesDb> = {
  tenant: {
    entities: [Currency, Purse, Wallet, CurrencyTransaction],
    steps: [currencies],
    repositories: {
      currencies: (statements, shapes) => makeCurrencies(statements, shapes(Currency)),
      purses: makePurses,
      wallets: makeWallets,
    },
  },
}
