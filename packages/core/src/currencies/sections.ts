import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { CurrencyTransaction } from "./transaction.ts"
import { Wallet } from "./wallet.ts"

/** The wallets of the user, as they were when they were changed last. */
export const walletsSection: TableSection = {
  name: "wallets",
  key: ["currency_id"],
  columns: describeColumns(Wallet, ["currency_id", "currency_code", "balance", "anchor_at", "updated_at"]),
}

/** The transactions of the user. */
export const currencyTransactionsSection: TableSection = {
  name: "currency_transactions",
  key: ["created_at", "id"],
  columns: describeColumns(CurrencyTransaction),
}
