import { type CurrencyRow, maxUnits, type WalletKey, type WalletState } from "@hearth/core/currencies"
import { builtAt, makeId, nextNumber } from "../builders.ts"

/** A currency without bounds and without recharge. */
export const aCurrency = (given: Partial<CurrencyRow> = {}): CurrencyRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    code: `CODE_${n}`,
    name: "Gold",
    description: null,
    is_premium: false,
    initial_balance: 0,
    max_balance: null,
    auto_recharge_amount: null,
    auto_recharge_interval_hours: null,
    created_at: new Date(builtAt),
    rules: 0,
    ...given,
  }
}

/** What writes a wallet, and a transaction of all that is in it, so that the two agree. */
export const aWalletWith = (
  { id: currency_id, code: currency_code, rules }: CurrencyRow,
  app_user_id: WalletKey["app_user_id"],
  state: Partial<WalletState> = {},
) => {
  const { balance = 0, anchor_at = new Date(builtAt) } = state
  const key = { app_user_id, currency_id, currency_code }
  return {
    wallet: { ...key, rules, balance, anchor_at },
    transaction: {
      ...{ ...key, id: makeId(nextNumber()), amount: balance, balance_after: balance, source: "system" as const },
      ...{ transaction_type: "initial" as const, reference_id: null, reverses_id: null, created_at: anchor_at },
    },
  }
}

/** Balances at the edges of what is exact. The middle ones are one ten-thousandth apart, and the same as numbers. */
export const edgeBalances = [0, 1, 9_999, 12_345, 8_999_999_999_999_997, 8_999_999_999_999_998, maxUnits - 1, maxUnits]
