import type { Slice } from "@hearth/core"
import {
  type CurrencyRow,
  CurrencyTransaction,
  fromUnits,
  type OpenWallet,
  readBalance,
  readRules,
  rechargeWallet,
  type TransactionWrite,
  type WalletKey,
  type WalletState,
  type Wallets,
  type WalletWrite,
} from "@hearth/core/currencies"
import { Effect, Option, Struct } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { rowUuid } from "../memory/ids.ts"
import { insertRow, lockRow, lockRows, replaceRow, rowsOf } from "../memory/rows.ts"
import { pageOf, select, sorted } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"
import { currencyShape, purseShape, transactionShape, walletShape } from "./memory-shapes.ts"

const formatKey = ({ app_user_id, currency_id }: WalletKey) => `${app_user_id}/${currency_id}`

const byKey = (a: WalletKey, b: WalletKey) => (formatKey(a) < formatKey(b) ? -1 : 1)

const readWallet = (draft: Draft, key: WalletKey): WalletState | null => {
  const row = rowsOf(draft, walletShape).get(formatKey(key))
  return row === undefined ? null : { balance: row.units, anchor_at: row.anchor_at }
}

const insertTransaction = (draft: Draft, { amount, balance_after, ...row }: TransactionWrite) =>
  insertRow(draft, transactionShape, {
    ...{ ...row, amount: fromUnits(amount), balance_after: fromUnits(balance_after) },
    ...{ units: amount, units_after: balance_after, position: draft.next() },
  })

const writeWallet = (draft: Draft, { rules: _, ...wallet }: WalletWrite, now: Date) => {
  const { balance: units, ...key } = wallet
  const row = { ...key, id: formatKey(key), units, balance: fromUnits(units), updated_at: now }
  const present = rowsOf(draft, walletShape).get(row.id)
  if (present === undefined) insertRow(draft, walletShape, row)
  else replaceRow(draft, walletShape, present, row)
}

const openMany = (draft: Draft, keys: ReadonlyArray<WalletKey>): ReadonlyArray<OpenWallet> => {
  const rows = rowsOf(draft, walletShape)
  const begun = keys.filter((key) => rows.get(formatKey(key)) === undefined)
  for (const id of [...new Set(begun.map(({ currency_id }) => currency_id))].sort())
    if (rowsOf(draft, currencyShape).get(id) !== undefined) lockRow(draft, currencyShape, id, "share")
  const present = keys.filter((key) => rows.get(formatKey(key)) !== undefined)
  for (const key of present.toSorted(byKey)) lockRow(draft, walletShape, formatKey(key), "no key update")
  return keys.flatMap((key) => {
    const currency = rowsOf(draft, currencyShape).get(key.currency_id)
    return currency === undefined ? [] : [{ app_user_id: key.app_user_id, currency, wallet: readWallet(draft, key) }]
  })
}

const findCode = (draft: Draft, code: string): CurrencyRow | null => select(draft, currencyShape, { code })[0] ?? null

const openOne = (draft: Draft, userId: string, code: string) => {
  const hasUser = rowsOf(draft, userShape).get(userId) !== undefined
  if (hasUser) lockRow(draft, userShape, userId, "key share")
  const hasPurse = hasUser && rowsOf(draft, purseShape).get(userId) !== undefined
  if (hasPurse) lockRow(draft, purseShape, userId, "no key update")
  const currency = findCode(draft, code)
  const key = { app_user_id: userId, currency_id: currency?.id ?? "" }
  const wallet = hasPurse ? readWallet(draft, key) : null
  if (wallet !== null) lockRow(draft, walletShape, formatKey(key), "no key update")
  return { hasUser, hasPurse, currency, wallet }
}

/** The balances of a user at `now`, by the code of the currency. */
export const readBalances = (draft: Draft, app_user_id: string, now: Date): ReadonlyMap<string, number> =>
  new Map(
    [...rowsOf(draft, currencyShape).values()].map((currency) => {
      const wallet = readWallet(draft, { app_user_id, currency_id: currency.id })
      return [currency.code, fromUnits(readBalance(readRules(currency), wallet, now))]
    }),
  )

const settle = (draft: Draft, currency: CurrencyRow, now: Date) => {
  const own = select(draft, walletShape, { currency_id: currency.id })
  let number = 0
  for (const row of lockRows(draft, walletShape, sorted(walletShape, own, [["app_user_id", "asc"]]))) {
    const { balance } = rechargeWallet(readRules(currency), { balance: row.units, anchor_at: row.anchor_at }, now)
    const settled = { ...row, units: balance, balance: fromUnits(balance), anchor_at: now, updated_at: now }
    replaceRow(draft, walletShape, row, settled)
    if (balance === row.units) continue
    number += 1
    const { app_user_id, currency_id, currency_code } = row
    insertTransaction(draft, {
      ...{ id: rowUuid(now, number), app_user_id, currency_id, currency_code, amount: balance - row.units },
      ...{ balance_after: balance, transaction_type: "recharge", source: "system", reference_id: null },
      ...{ reverses_id: null, created_at: now },
    })
  }
}

const verify = (draft: Draft) => {
  const codes = new Map([...rowsOf(draft, currencyShape).values()].map(({ id, code }) => [id, code]))
  const wallets = [...rowsOf(draft, walletShape).values()]
  const transactions = [...rowsOf(draft, transactionShape).values()].filter(({ currency_id }) => codes.has(currency_id))
  const balances = new Map(wallets.map((row) => [row.id, { key: row as WalletKey, balance: row.units, sum: 0 }]))
  for (const row of transactions) {
    const found = balances.get(formatKey(row)) ?? { key: row, balance: 0, sum: 0 }
    balances.set(formatKey(row), { ...found, sum: found.sum + row.units })
  }
  const wrong = [...balances.values()].filter(({ balance, sum }) => balance !== sum)
  const mismatches = wrong
    .map(({ key: { app_user_id, currency_id }, balance, sum }) => ({
      ...{ app_user_id, currency_code: codes.get(currency_id) ?? "" },
      ...{ balance: fromUnits(balance), sum: fromUnits(sum) },
    }))
    .sort((a, b) => (a.app_user_id + a.currency_code < b.app_user_id + b.currency_code ? -1 : 1))
  return { wallets: wallets.length, transactions: transactions.length, mismatches: mismatches.slice(0, 1_000) }
}

const transactionFields = Object.keys(CurrencyTransaction.fields) as ReadonlyArray<keyof CurrencyTransaction>

/** A slice of transactions, those written last first. */
const listTransactions = (own: ReadonlyArray<NonNullable<typeof transactionShape.row>>, slice: Slice) => {
  const { rows, total } = pageOf(
    own.toSorted((a, b) => b.position - a.position),
    slice,
  )
  return { rows: rows.map((row) => Struct.pick(row, transactionFields)), total }
}

/** Wallets and their ledger in memory. */
export const memoryWallets = (statements: Statements): Wallets => ({
  open: (keys) => statements.query((draft) => openMany(draft, keys)),
  openOne: (userId, code) => statements.query((draft) => openOne(draft, userId, code)),
  writeOne: (wallet, transaction, now) =>
    statements.change((draft) => {
      if (readWallet(draft, wallet) === null) return
      writeWallet(draft, wallet, now)
      insertTransaction(draft, transaction)
    }),
  write: (wallets, transactions, now) =>
    statements.change((draft) => {
      if (new Set(wallets.map(formatKey)).size < wallets.length) throw new Error("A wallet is written twice.")
      const currencies = rowsOf(draft, currencyShape)
      if (wallets.some(({ currency_id, rules }) => currencies.get(currency_id)?.rules !== rules)) return false
      for (const wallet of wallets.toSorted(byKey)) writeWallet(draft, wallet, now)
      for (const transaction of transactions) insertTransaction(draft, transaction)
      return true
    }),
  settle: (currency, now) => statements.change((draft) => settle(draft, currency, now)),
  lockAll: (currency_id) =>
    statements.change((draft) => {
      const wallets = select(draft, walletShape, { currency_id })
      lockRows(draft, walletShape, sorted(walletShape, wallets, [["app_user_id", "asc"]]))
    }),
  ofUser: (app_user_id) =>
    statements.query((draft) =>
      sorted(currencyShape, [...rowsOf(draft, currencyShape).values()], [["code", "asc"]]).map((currency) => ({
        currency,
        wallet: readWallet(draft, { app_user_id, currency_id: currency.id }),
      })),
    ),
  transactions: (app_user_id, slice) =>
    statements.query((draft) => listTransactions(select(draft, transactionShape, { app_user_id }), slice)),
  transactionsBefore: (app_user_id, id, slice) =>
    statements.query((draft) => {
      const [mark] = select(draft, transactionShape, { app_user_id, id })
      const own = select(draft, transactionShape, { app_user_id })
      const before = own.filter(({ position }) => mark !== undefined && position < mark.position)
      return listTransactions(before, slice).rows
    }),
  findTransaction: (id) =>
    Effect.map(
      statements.query((draft) => {
        const row = rowsOf(draft, transactionShape).get(id)
        if (row === undefined) return undefined
        const { units, units_after, position: _, ...rest } = row
        return { ...rest, amount: units, balance_after: units_after }
      }),
      Option.fromUndefinedOr,
    ),
  isReversed: (reverses_id) => statements.query((draft) => select(draft, transactionShape, { reverses_id }).length > 0),
  verify: () => statements.query(verify),
})
