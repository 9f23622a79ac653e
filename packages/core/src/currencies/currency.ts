import { Schema, Struct } from "effect"
import { readByUseCase } from "../own-issues.ts"
import { Count, Money, Name, Prose, partial, Text, Timestamp, Uuid, withDefaults } from "../schema.ts"
import { maxAmount } from "./money.ts"
import { findAmountIssues } from "./parse-amounts.ts"

const notNegative = Money.check(Schema.isBetween({ minimum: 0, maximum: maxAmount }))
const positive = Money.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(maxAmount))

const described = { name: Name, description: Schema.NullOr(Prose), is_premium: Schema.Boolean }

/** The amounts of a currency [G4.1]. They are checked by `parseAmounts`, which has a code of its own for bad ones. */
const currencyAmounts = {
  initial_balance: notNegative,
  /** Null where there is no other bound than 900,000,000,000. */
  max_balance: Schema.NullOr(notNegative),
  auto_recharge_amount: Schema.NullOr(positive),
  auto_recharge_interval_hours: Schema.NullOr(positive),
}

/** A currency of a project (spec: currency, definition). Unique: `code` [G4.1]. */
export const Currency = Schema.Struct({
  id: Uuid,
  code: Text.check(Schema.isPattern(/^[A-Z0-9_]{1,32}$/, { message: "must be 1 to 32 of A-Z, 0-9 and _" })),
  ...described,
  ...currencyAmounts,
  created_at: Timestamp,
}).annotate({ identifier: "Currency" })
export type Currency = typeof Currency.Type

/** A currency as it is stored. `rules` counts the changes of its amounts. */
export const CurrencyRow = Schema.Struct({ ...Currency.fields, rules: Count })
export type CurrencyRow = typeof CurrencyRow.Type

const anyAmount = (name: keyof typeof currencyAmounts) => readByUseCase((value) => findAmountIssues(name, value))
const anyAmounts = {
  initial_balance: anyAmount("initial_balance"),
  max_balance: anyAmount("max_balance"),
  auto_recharge_amount: anyAmount("auto_recharge_amount"),
  auto_recharge_interval_hours: anyAmount("auto_recharge_interval_hours"),
}

const created = withDefaults({ code: Currency.fields.code, ...described }, { description: null, is_premium: false })

/** What a currency is made with. Its amounts may be anything until they are parsed. */
export const CurrencyInput = Schema.Struct({ ...created, ...partial(anyAmounts) })
export type CurrencyInput = typeof CurrencyInput.Type

/** What a currency is made with, as the reference shows it. */
export const NewCurrency = Schema.Struct({
  ...created,
  ...withDefaults(currencyAmounts, {
    initial_balance: 0,
    max_balance: null,
    auto_recharge_amount: null,
    auto_recharge_interval_hours: null,
  }),
}).annotate({ identifier: "NewCurrency" })

/** The fields of a currency that change. Its amounts may be anything until they are parsed. */
export const CurrencyChangesInput = Schema.Struct(partial({ ...described, ...anyAmounts }))
export type CurrencyChangesInput = typeof CurrencyChangesInput.Type

/** The fields of a currency that change, as the reference shows them. Those left out stay. */
export const CurrencyChanges = Schema.Struct(partial({ ...described, ...currencyAmounts })).annotate({
  identifier: "CurrencyChanges",
})

/** The balance of a user in a currency, as it is now [G4.6]. */
export const Balance = Schema.Struct({
  ...Struct.pick(Currency.fields, ["code", "name", "description", "is_premium"]),
  balance: Money,
  max_balance: Currency.fields.max_balance,
  /** When the wallet recharges next. Null where it is full or untouched, and without recharge [G4.4]. */
  next_recharge_at: Schema.NullOr(Timestamp),
}).annotate({ identifier: "Balance" })
export type Balance = typeof Balance.Type
