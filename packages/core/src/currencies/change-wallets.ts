import { Effect } from "effect"
import type { Ids } from "../ports/ids.ts"
import { InsufficientBalance } from "./failures.ts"
import { fromUnits, toUnits, type Units } from "./money.ts"
import type {
  CurrenciesDb,
  LockedWallets,
  OpenWallet,
  TransactionWrite,
  WalletKey,
  Wallets,
  WalletWrite,
} from "./port.ts"
import type { CurrencyTransaction, WalletReceipt } from "./transaction.ts"
import { clampCredit, debitWallet, readRules, rechargeWallet, type WalletState } from "./wallet.ts"

/** A change of a wallet, in ten-thousandths. */
export interface WalletChange
  extends WalletKey,
    Pick<CurrencyTransaction, "transaction_type" | "source" | "reference_id"> {
  /** A credit is clamped at the maximum, a debit is refused where the balance is not enough. Neither is below 0. */
  readonly kind: "credit" | "debit"
  readonly amount: Units
  /** The transaction that it reverses. */
  readonly reverses_id: string | null
}

interface Draft {
  readonly open: OpenWallet
  state: WalletState
}

type Entry = Pick<TransactionWrite, "amount" | "transaction_type" | "source" | "reference_id" | "reverses_id">

const ofSystem = { source: "system", reference_id: null, reverses_id: null } as const

/** What is written before the first change of a wallet: its initial balance, or what has recharged [E5]. */
const beginWallet = (open: OpenWallet, now: Date): { readonly state: WalletState; readonly entries: Array<Entry> } => {
  const rules = readRules(open.currency)
  if (open.wallet === null) {
    const entry: Entry = { ...ofSystem, amount: rules.initial, transaction_type: "initial" }
    return { state: { balance: rules.initial, anchor_at: now }, entries: [entry] }
  }
  const state = rechargeWallet(rules, open.wallet, now)
  const amount = state.balance - open.wallet.balance
  return { state, entries: amount > 0 ? [{ ...ofSystem, amount, transaction_type: "recharge" }] : [] }
}

const changeState = (
  { currency }: OpenWallet,
  state: WalletState,
  { kind, amount }: WalletChange,
  now: Date,
): WalletState | null => {
  const rules = readRules(currency)
  if (kind === "debit") return debitWallet(rules, state, amount, now)
  return { ...state, balance: state.balance + clampCredit(rules, state, amount) }
}

/** What is written for changes of open wallets, and the transaction of each change; null where its wallet is not open. */
export interface ChangedWallets {
  readonly wallets: ReadonlyArray<WalletWrite>
  readonly transactions: ReadonlyArray<TransactionWrite>
  readonly changes: ReadonlyArray<TransactionWrite | null>
}

const formatKey = ({ app_user_id, currency_id }: WalletKey) => `${app_user_id}/${currency_id}`

/**
 * Applies changes to open wallets in their order. Every wallet is begun or recharged before its first change. Answers the
 * balance of the wallet that has not enough for a debit in place of all.
 */
export const applyChanges = (
  opened: ReadonlyArray<OpenWallet>,
  changes: ReadonlyArray<WalletChange>,
  now: Date,
  makeId: () => string,
): ChangedWallets | { readonly insufficient: Units } => {
  const byKey = new Map(opened.map((open) => [formatKey({ ...open, currency_id: open.currency.id }), open] as const))
  const drafts = new Map<string, Draft>()
  const transactions: Array<TransactionWrite> = []
  const done: Array<TransactionWrite | null> = []
  const note = ({ currency, app_user_id }: OpenWallet, entry: Entry, balance_after: Units) => {
    const { id: currency_id, code: currency_code } = currency
    const row = { id: makeId(), app_user_id, currency_id, currency_code, ...entry, balance_after, created_at: now }
    transactions.push(row)
    return row
  }
  for (const change of changes) {
    const key = formatKey(change)
    const open = byKey.get(key)
    if (open === undefined) {
      done.push(null)
      continue
    }
    const draft = drafts.get(key) ?? beginDraft(open, now, note)
    const state = changeState(open, draft.state, change, now)
    if (state === null) return { insufficient: draft.state.balance }
    const { transaction_type, source, reference_id, reverses_id } = change
    const entry = { amount: state.balance - draft.state.balance, transaction_type, source, reference_id, reverses_id }
    done.push(note(open, entry, state.balance))
    draft.state = state
    drafts.set(key, draft)
  }
  const wallets = [...drafts.values()].map(({ open: { app_user_id, currency }, state }) => ({
    ...{ app_user_id, currency_id: currency.id, currency_code: currency.code, rules: currency.rules },
    ...state,
  }))
  return { wallets, transactions, changes: done }
}

const beginDraft = (
  open: OpenWallet,
  now: Date,
  note: (open: OpenWallet, entry: Entry, balance_after: Units) => unknown,
): Draft => {
  const { state, entries } = beginWallet(open, now)
  for (const entry of entries) note(open, entry, state.balance)
  return { open, state }
}

/** A change as its caller is told of it. */
export const makeReceipt = ({ reverses_id: _, ...written }: TransactionWrite): WalletReceipt => {
  const balance = fromUnits(written.balance_after)
  return { balance, transaction: { ...written, amount: fromUnits(written.amount), balance_after: balance } }
}

/** Writes what was changed where that is one wallet with one transaction. Answers whether it was. */
const writeOnly = ({ writeOne }: Wallets, { wallets, transactions }: ChangedWallets, now: Date) => {
  const [[wallet], [transaction]] = [wallets, transactions]
  const isOne = wallets.length === 1 && transactions.length === 1
  if (!isOne || wallet === undefined || transaction === undefined) return Effect.succeed(false)
  return Effect.as(writeOne(wallet, transaction, now), true)
}

// The rules of a currency change by hand, so a second change within a call is rare and a third one is not to be expected.
const mostTries = 20

/**
 * Changes wallets in their order, and answers what was written for each; null for those of a currency that is gone. Where the
 * rules of a currency have changed in between, it begins anew with the new ones. `open` locks and answers the wallets.
 */
export const changeWallets = Effect.fnUntraced(function* (
  { wallets }: Pick<CurrenciesDb, "wallets">,
  ids: Pick<Ids, "uuid">,
  changes: ReadonlyArray<WalletChange>,
  now: Date,
  opened: LockedWallets | null = null,
) {
  const keys = [...new Map(changes.map((change) => [formatKey(change), change])).values()]
  let given = opened
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { wallets: open, isFixed } = given ?? { wallets: yield* wallets.open(keys), isFixed: false }
    given = null
    const applied = applyChanges(open, changes, now, ids.uuid)
    if ("insufficient" in applied) return yield* new InsufficientBalance({ balance: fromUnits(applied.insufficient) })
    if (applied.wallets.length === 0) return applied.changes
    if (isFixed && (yield* writeOnly(wallets, applied, now))) return applied.changes
    if (yield* wallets.write(applied.wallets, applied.transactions, now)) return applied.changes
  }
  return yield* Effect.die(new Error("The rules of a currency changed again and again."))
})

/** An amount for a wallet, or out of it. */
export interface WalletAmount
  extends Pick<CurrencyTransaction, "app_user_id" | "currency_code" | "source" | "reference_id"> {
  readonly transaction_type: CurrencyTransaction["transaction_type"]
  /** Above 0, checked by `isPositiveAmount` [G4.2]. */
  readonly amount: number
}

const toChanges = Effect.fnUntraced(function* (
  { currencies }: Pick<CurrenciesDb, "currencies">,
  kind: WalletChange["kind"],
  amounts: ReadonlyArray<WalletAmount>,
) {
  const codes = [...new Set(amounts.map(({ currency_code }) => currency_code))]
  const found = yield* currencies.findCodes(codes)
  const idOfCode = new Map(found.map(({ code, id }) => [code, id]))
  return amounts.map(({ currency_code, amount, ...rest }): WalletChange | null => {
    const currency_id = idOfCode.get(currency_code)
    if (currency_id === undefined) return null
    return { ...rest, kind, currency_id, amount: toUnits(amount), reverses_id: null }
  })
})

/**
 * Locks users against removal and their purses, and answers the ids of those who exist [G0.5]. Whatever changes wallets,
 * inventory or what else a user owns calls it first, once, with all the users that it is about.
 */
export const lockPurses = (db: Pick<CurrenciesDb, "purses">, userIds: ReadonlyArray<string>) =>
  db.purses.lockMany(userIds)

/**
 * Makes the functions by which other features change wallets. The caller holds the purses (`lockPurses`), and changes the
 * wallets of several users in one call. The rest is done in a fixed number of statements for any number of wallets.
 */
export const makeWallets = (ids: Pick<Ids, "uuid">) => ({
  /**
   * Gives amounts, each clamped at the maximum of its currency, also to nothing, and answers a receipt for each: what was given
   * is `transaction.amount`. Null for a code without a currency.
   */
  credit: Effect.fnUntraced(function* (
    db: Pick<CurrenciesDb, "currencies" | "wallets">,
    amounts: ReadonlyArray<WalletAmount>,
    now: Date,
  ): Effect.fn.Return<ReadonlyArray<WalletReceipt | null>> {
    if (amounts.length === 0) return []
    const changes = yield* toChanges(db, "credit", amounts)
    const known = changes.filter((change) => change !== null)
    const written = [...(yield* Effect.orDie(changeWallets(db, ids, known, now)))]
    return changes.map((change) => {
      const row = change === null ? null : (written.shift() ?? null)
      return row === null ? null : makeReceipt(row)
    })
  }),

  /** Takes an amount, or fails where the balance is not enough. Null for a code without a currency. */
  debit: Effect.fnUntraced(function* (
    db: Pick<CurrenciesDb, "currencies" | "wallets">,
    amount: WalletAmount,
    now: Date,
  ): Effect.fn.Return<WalletReceipt | null, InsufficientBalance> {
    const [change] = yield* toChanges(db, "debit", [amount])
    if (change === undefined || change === null) return null
    const [row] = yield* changeWallets(db, ids, [change], now)
    return row === undefined || row === null ? null : makeReceipt(row)
  }),
})
