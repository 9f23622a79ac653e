import { Finite, Text, Uuid } from "@hearth/core"
import { CurrencyRow, CurrencyTransaction, Wallet } from "@hearth/core/currencies"
import { Schema } from "effect"
import { describeTable } from "../memory/shape.ts"

/** The table of currencies. */
export const currencyShape = describeTable("currencies", CurrencyRow, {
  unique: [["code"]],
  checks: [
    ({ initial_balance }) => initial_balance >= 0,
    ({ initial_balance, max_balance }) => max_balance === null || max_balance >= initial_balance,
    ({ auto_recharge_amount }) => auto_recharge_amount === null || auto_recharge_amount > 0,
    ({ auto_recharge_interval_hours }) => auto_recharge_interval_hours === null || auto_recharge_interval_hours > 0,
  ],
})

/** The table of purses; the id is the user's. */
export const purseShape = describeTable("purses", Schema.Struct({ id: Uuid }), { parents: { id: "users" } })

/** The table of wallets. Balances are kept in ten-thousandths too: as numbers they are not exact [G4.2]. */
export const walletShape = describeTable("wallets", Schema.Struct({ id: Text, ...Wallet.fields, units: Finite }), {
  parents: { app_user_id: "users", currency_id: "currencies" },
  checks: [({ balance }) => balance >= 0],
})

/** The table of transactions, with their amounts in ten-thousandths. A currency that is gone leaves its rows. */
export const transactionShape = describeTable(
  "currency transactions",
  Schema.Struct({
    ...CurrencyTransaction.fields,
    reverses_id: Schema.NullOr(Uuid),
    position: Finite,
    units: Finite,
    units_after: Finite,
  }),
  { unique: [["reverses_id"]], parents: { app_user_id: "users" } },
)
