import { Schema } from "effect"
import { Count, Money, Text, Timestamp, Uuid } from "../schema.ts"

/** What a transaction is [G4.5]. */
export const TransactionType = Schema.Literals([
  "initial",
  "recharge",
  "grant",
  "spend",
  "purchase",
  "reward",
  "reversal",
])
export type TransactionType = typeof TransactionType.Type

/** Who or what a transaction comes from [G4.5]. */
export const TransactionSource = Schema.Literals(["admin", "client", "store", "referral", "system"])
export type TransactionSource = typeof TransactionSource.Type

/**
 * A row of the ledger (spec: currency, transaction). The sum of a wallet's rows is its balance. It stays when its currency is
 * deleted, and goes with its user.
 */
export const CurrencyTransaction = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  currency_id: Uuid,
  currency_code: Text,
  /** Above 0 where the wallet got something, below 0 where something was taken. */
  amount: Money,
  balance_after: Money,
  transaction_type: TransactionType,
  source: TransactionSource,
  /** The reason of a grant or spend, the transaction that a reversal undoes, or what a purchase or reward belongs to. */
  reference_id: Schema.NullOr(Text),
  created_at: Timestamp,
}).annotate({ identifier: "CurrencyTransaction" })
export type CurrencyTransaction = typeof CurrencyTransaction.Type

/** What a change of a wallet is answered with: the balance after it, and its row of the ledger. */
export const WalletReceipt = Schema.Struct({ balance: Money, transaction: CurrencyTransaction }).annotate({
  identifier: "WalletReceipt",
})
export type WalletReceipt = typeof WalletReceipt.Type

/** Whether balances are the sums of their transactions [G4.8]. */
export const Verification = Schema.Struct({
  wallets: Count,
  transactions: Count,
  /** A wallet that is missing has the balance 0. */
  mismatches: Schema.Array(Schema.Struct({ app_user_id: Uuid, currency_code: Text, balance: Money, sum: Money })),
}).annotate({ identifier: "CurrencyVerification" })
export type Verification = typeof Verification.Type
