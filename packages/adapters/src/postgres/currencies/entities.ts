import { defineEntity, p } from "@mikro-orm/core"
import { User } from "../users/entities.ts"

const money = () => p.decimal("number").precision(20).scale(4)

export const Currency = defineEntity({
  name: "Currency",
  tableName: "currencies",
  properties: {
    id: p.uuid().primary(),
    code: p.text().unique(),
    name: p.text(),
    description: p.text().nullable(),
    is_premium: p.boolean(),
    initial_balance: money().check("initial_balance >= '0'"),
    max_balance: money().nullable().check("max_balance >= initial_balance"),
    auto_recharge_amount: money().nullable().check("auto_recharge_amount > '0'"),
    auto_recharge_interval_hours: money().nullable().check("auto_recharge_interval_hours > '0'"),
    created_at: p.datetime(3),
    /** How often its amounts were changed. */
    rules: p.integer(),
  },
})

const ofUser = () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action")

/** What serializes the changes of what a user owns [G0.5]. */
export const Purse = defineEntity({
  name: "Purse",
  tableName: "purses",
  properties: { app_user_id: () => ofUser().primary() },
})

export const Wallet = defineEntity({
  name: "Wallet",
  tableName: "wallets",
  properties: {
    app_user_id: () => ofUser().primary(),
    currency_id: () => p.manyToOne(Currency).mapToPk().primary().deleteRule("cascade").updateRule("no action"),
    currency_code: p.text(),
    balance: money().check("balance >= '0'"),
    anchor_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
  indexes: [{ properties: ["currency_id", "app_user_id"] }],
})

/** The ledger. Its rows stay when their currency is deleted [G4.9]. */
export const CurrencyTransaction = defineEntity({
  name: "CurrencyTransaction",
  tableName: "currency_transactions",
  properties: {
    /** The order in which the transactions of a user were written. */
    position: p.bigint("string").primary().generated("by default as identity"),
    id: p.uuid().unique(),
    app_user_id: ofUser,
    currency_id: p.uuid(),
    currency_code: p.text(),
    amount: money(),
    balance_after: money(),
    transaction_type: p.text(),
    source: p.text(),
    reference_id: p.text().nullable(),
    reverses_id: p.uuid().nullable().unique(),
    created_at: p.datetime(3),
  },
  indexes: [{ properties: ["app_user_id", "position"] }, { properties: ["currency_id", "app_user_id"] }],
})
