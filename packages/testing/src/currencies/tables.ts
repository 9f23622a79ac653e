import type { TenantDb } from "@hearth/core"
import type { CurrencyRow } from "@hearth/core/currencies"
import { Effect } from "effect"
import { awkwardInstant, awkwardText, lateInstant, textsInOrder } from "../contracts/awkward-values.ts"
import type { Contract } from "../contracts/feature-suites.ts"
import { type TableCase, tableContract } from "../contracts/table.contract.ts"
import { aCurrency } from "./builders.ts"

const currencies: TableCase<TenantDb, CurrencyRow> = {
  name: "currencies",
  table: (db) => db.currencies,
  row: (_, given) => Effect.sync(() => aCurrency(given)),
  samples: [
    {
      ...{ name: awkwardText, description: awkwardText, is_premium: true, created_at: awkwardInstant, rules: 7 },
      ...{ initial_balance: 0.0001, max_balance: 900_000_000_000 },
      ...{ auto_recharge_amount: 899_999_999_999.9999, auto_recharge_interval_hours: 0.25 },
    },
    { code: awkwardText, initial_balance: 12.3456, max_balance: 12.3456, created_at: lateInstant },
  ],
  unique: [["code"]],
  refused: [
    { initial_balance: -1 },
    { initial_balance: 2, max_balance: 1 },
    { auto_recharge_amount: 0 },
    { auto_recharge_interval_hours: 0 },
  ],
  sorting: { column: "initial_balance", ascending: [0, 0.0001, 0.1, 2, 10, 899_999_999_999.9999, 900_000_000_000] },
  nullable: { column: "description", ascending: textsInOrder },
}

/** The table of currencies. */
export const currenciesTable: Contract<TenantDb> = (open) => tableContract(open, currencies)
