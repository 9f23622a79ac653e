import type { TransactionWrite, Wallets, WalletWrite } from "@hearth/core/currencies"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

/** The columns of the ledger that are written. */
export const writtenColumns = [
  ...(["id", "app_user_id", "currency_id", "currency_code", "amount", "balance_after"] as const),
  ...(["transaction_type", "source", "reference_id", "reverses_id", "created_at"] as const),
]
const types = ["uuid", "uuid", "uuid", "text", "numeric", "numeric", "text", "text", "text", "uuid", "timestamptz"]
/** Those of them that the core has in ten-thousandths. */
export const units = new Set<string>(["amount", "balance_after"])

// Nothing is written where the rules of a currency are not those that the changes were made by.
const write = `
  with given as materialized (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::numeric[], $6::timestamptz[])
      as given (app_user_id, currency_id, currency_code, rules, balance, anchor_at)
  ), kept as materialized (
    select (select count(*) from given)
      = (select count(*) from given g join currencies c on c.id = g.currency_id and c.rules = g.rules) as is_kept
  ), changed as (
    insert into wallets as w (app_user_id, currency_id, currency_code, balance, anchor_at, updated_at)
    select app_user_id, currency_id, currency_code, balance / 10000, anchor_at, $7
    from given where (select is_kept from kept) order by app_user_id, currency_id
    on conflict (app_user_id, currency_id) do update
      set balance = excluded.balance, anchor_at = excluded.anchor_at, updated_at = excluded.updated_at
  ), noted as (
    insert into currency_transactions (${writtenColumns.join(", ")})
    select ${writtenColumns.map((column) => (units.has(column) ? `${column} / 10000` : column)).join(", ")}
    from unnest(${types.map((type, at) => `$${at + 8}::${type}[]`).join(", ")}) with ordinality
      as given (${writtenColumns.join(", ")}, ordinal)
    where (select is_kept from kept) order by ordinal
  )
  select is_kept from kept`

const noted = (first: number) =>
  writtenColumns.map((column, at) => `$${at + first}::${types[at]}${units.has(column) ? " / 10000" : ""}`).join(", ")

// The same for one wallet and one row of the ledger. Arrays are planned anew with every call, because their plan depends on their
// length; single values are planned once per connection.
const writeSingle = `
  with kept as materialized (
    select exists (select from currencies where id = $2::uuid and rules = $4::int) as is_kept
  ), changed as (
    insert into wallets as w (app_user_id, currency_id, currency_code, balance, anchor_at, updated_at)
    select $1::uuid, $2::uuid, $3::text, $5::numeric / 10000, $6::timestamptz, $7::timestamptz
    where (select is_kept from kept)
    on conflict (app_user_id, currency_id) do update
      set balance = excluded.balance, anchor_at = excluded.anchor_at, updated_at = excluded.updated_at
  ), noted as (
    insert into currency_transactions (${writtenColumns.join(", ")}) select ${noted(8)} where (select is_kept from kept)
  )
  select is_kept from kept`

// A wallet that is there and locked, of a currency whose rules stay.
const writeLocked = `
  with changed as (
    update wallets set balance = $3::numeric / 10000, anchor_at = $4::timestamptz, updated_at = $5::timestamptz
    where app_user_id = $1::uuid and currency_id = $2::uuid returning true
  )
  insert into currency_transactions (${writtenColumns.join(", ")}) select ${noted(6)} from changed`

interface Written {
  readonly is_kept: boolean
}

/** Writes wallets and their transactions as `Wallets.write` says. */
export const makeWrite = (statements: Statements): Wallets["write"] => {
  const writeOne = (wallet: WalletWrite, row: TransactionWrite, now: Date) =>
    statements.prepared<Written>("write-wallet", writeSingle, [
      ...[wallet.app_user_id, wallet.currency_id, wallet.currency_code, wallet.rules, wallet.balance],
      ...[wallet.anchor_at, now, ...writtenColumns.map((column) => row[column])],
    ])
  const writeAll = (wallets: ReadonlyArray<WalletWrite>, rows: ReadonlyArray<TransactionWrite>, now: Date) =>
    statements.prepared<Written>("write-wallets", write, [
      wallets.map(({ app_user_id }) => app_user_id),
      wallets.map(({ currency_id }) => currency_id),
      wallets.map(({ currency_code }) => currency_code),
      wallets.map(({ rules }) => rules),
      wallets.map(({ balance }) => balance),
      wallets.map(({ anchor_at }) => anchor_at.toISOString()),
      now,
      ...writtenColumns.map((column) =>
        rows.map((row) => (column === "created_at" ? row.created_at.toISOString() : row[column])),
      ),
    ])
  return (wallets, transactions, now) => {
    const [wallet, ...others] = wallets
    const [row, ...more] = transactions
    const isSingle = wallet !== undefined && row !== undefined && others.length === 0 && more.length === 0
    const written = isSingle ? writeOne(wallet, row, now) : writeAll(wallets, transactions, now)
    return Effect.map(written, ([answer]) => answer?.is_kept === true)
  }
}

/** Writes one wallet that is locked, with its transaction, as `Wallets.writeOne` says. */
export const makeWriteOne =
  (statements: Statements): Wallets["writeOne"] =>
  ({ app_user_id, currency_id, balance, anchor_at }, transaction, now) =>
    statements.send(
      writeLocked,
      [app_user_id, currency_id, balance, anchor_at, now, ...writtenColumns.map((column) => transaction[column])],
      "write-locked-wallet",
    )
