import { Schema } from "effect"
import { Money, Text, Timestamp, Uuid } from "../schema.ts"
import type { Currency } from "./currency.ts"
import { maxUnits, toUnits, type Units } from "./money.ts"

/** What a user has of a currency, as it was when it was changed last. There is none before the first change. */
export const Wallet = Schema.Struct({
  app_user_id: Uuid,
  currency_id: Uuid,
  currency_code: Text,
  balance: Money,
  /** From where intervals of recharge are counted, while the wallet is not full. */
  anchor_at: Timestamp,
  updated_at: Timestamp,
})

/** A wallet as the rules see it. The balance is in ten-thousandths, so that it is exact. */
export interface WalletState {
  readonly balance: Units
  readonly anchor_at: Date
}

/** The rules of a currency's wallets, in ten-thousandths and milliseconds. */
export interface WalletRules {
  readonly initial: Units
  /** What no recharge and no credit goes beyond. */
  readonly max: Units
  readonly recharge: { readonly amount: Units; readonly millis: number } | null
}

// A ten-thousandth of an hour.
const millisOfUnit = 360

/** The rules that the amounts of a currency say. */
export const readRules = (
  currency: Pick<Currency, "initial_balance" | "max_balance" | "auto_recharge_amount" | "auto_recharge_interval_hours">,
): WalletRules => {
  const { initial_balance, max_balance, auto_recharge_amount: amount, auto_recharge_interval_hours: hours } = currency
  return {
    initial: toUnits(initial_balance),
    max: max_balance === null ? maxUnits : toUnits(max_balance),
    recharge:
      amount === null || hours === null ? null : { amount: toUnits(amount), millis: toUnits(hours) * millisOfUnit },
  }
}

const isFull = ({ max }: WalletRules, { balance }: WalletState) => balance >= max

/**
 * A wallet with what has recharged by `now`: the whole intervals since the anchor, never above the maximum, which a full
 * wallet stays at without banking time [E5]. In many steps it is the same as in one.
 */
export const rechargeWallet = (rules: WalletRules, wallet: WalletState, now: Date): WalletState => {
  const { max, recharge } = rules
  if (recharge === null || isFull(rules, wallet)) return wallet
  const intervals = Math.floor(Math.max(0, now.getTime() - wallet.anchor_at.getTime()) / recharge.millis)
  if (intervals === 0) return wallet
  return {
    balance: wallet.balance + Math.min(intervals * recharge.amount, max - wallet.balance),
    anchor_at: new Date(wallet.anchor_at.getTime() + intervals * recharge.millis),
  }
}

/** How much of an amount fits into a recharged wallet: nothing where it is full, also where it is over a lowered maximum [G4.4]. */
export const clampCredit = ({ max }: WalletRules, { balance }: WalletState, amount: Units): Units =>
  Math.max(0, Math.min(amount, max - balance))

/** A recharged wallet with an amount taken. Where it was full, intervals are counted from now [G4.4]. Null where it has less. */
export const debitWallet = (rules: WalletRules, wallet: WalletState, amount: Units, now: Date): WalletState | null => {
  if (wallet.balance < amount) return null
  return { balance: wallet.balance - amount, anchor_at: isFull(rules, wallet) ? now : wallet.anchor_at }
}

/** What a reader sees at `now`: an untouched wallet has the initial balance, a touched one what has recharged [G4.4]. */
export const readBalance = (rules: WalletRules, wallet: WalletState | null, now: Date): Units =>
  wallet === null ? rules.initial : rechargeWallet(rules, wallet, now).balance

// Later ones are not instants that can be written.
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z")

/** When a wallet recharges next; null where it is full, untouched or never does [G4.4]. */
export const nextRechargeAt = (rules: WalletRules, wallet: WalletState | null, now: Date): Date | null => {
  if (wallet === null || rules.recharge === null) return null
  const recharged = rechargeWallet(rules, wallet, now)
  const next = recharged.anchor_at.getTime() + rules.recharge.millis
  return isFull(rules, recharged) || next > lastInstant ? null : new Date(next)
}
