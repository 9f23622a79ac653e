import {
  type CurrencyRow,
  CurrencyTransaction,
  type OpenedOne,
  type OpenWallet,
  type TransactionWrite,
  type Verification,
  type WalletState,
  type Wallets,
} from "@hearth/core/currencies"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import { uuidSql } from "../sql/uuid.ts"
import { rechargedSql } from "./recharge-sql.ts"
import { makeWrite, makeWriteOne, units, writtenColumns } from "./write-wallets.ts"

/** The columns of a currency, without a prefix. */
const currencyColumns = [
  ...["id", "code", "name", "description", "is_premium", "initial_balance", "max_balance"],
  ...["auto_recharge_amount", "auto_recharge_interval_hours", "created_at", "rules"],
] as const

// Balances are read in ten-thousandths: as a decimal they would be rounded to the nearest number.
const walletColumns = "(w.balance * 10000)::float8 as wallet_balance, w.anchor_at as wallet_anchor_at"
const columnsOf = (alias: string) => currencyColumns.map((column) => `${alias}.${column}`).join(", ")

type Joined = CurrencyRow & {
  readonly wallet_balance: number | null
  readonly wallet_anchor_at: Date | null
}

const readWallet = ({
  wallet_balance: balance,
  wallet_anchor_at: anchor_at,
}: Pick<Joined, "wallet_balance" | "wallet_anchor_at">): WalletState | null =>
  balance === null || anchor_at === null ? null : { balance, anchor_at }

const readCurrency = (row: Joined): CurrencyRow =>
  Object.fromEntries(currencyColumns.map((column) => [column, row[column]])) as unknown as CurrencyRow

// In this order: the currencies that get a first wallet, then the wallets. Counting the former makes it happen first.
const open = `
  with given as materialized (
    select * from unnest($1::uuid[], $2::uuid[]) as given (app_user_id, currency_id)
  ), begun as materialized (
    select id from currencies where id in (
      select g.currency_id from given g
      where not exists (select from wallets w where w.app_user_id = g.app_user_id and w.currency_id = g.currency_id)
    ) order by id for share
  ), locked as materialized (
    select app_user_id, currency_id, balance, anchor_at from wallets
    where (app_user_id, currency_id) in (select app_user_id, currency_id from given)
      and (select count(*) from begun) >= 0
    order by app_user_id, currency_id for no key update
  )
  select g.app_user_id, ${columnsOf("c")}, ${walletColumns}
  from given g join currencies c on c.id = g.currency_id
  left join locked w on w.app_user_id = g.app_user_id and w.currency_id = g.currency_id`

// Each part asks for the one before it, so the user is locked first, then the purse, then the wallet.
const openOne = `
  with owner as materialized (
    select id from app_users where id = $1 for key share
  ), purse as materialized (
    select app_user_id from purses where app_user_id = (select id from owner) for no key update
  ), w as materialized (
    select balance, anchor_at from wallets
    where app_user_id = (select app_user_id from purse) and currency_id = (select id from currencies where code = $2)
    for no key update
  )
  select exists (select from owner) as has_user, exists (select from purse) as has_purse, ${walletColumns}
  from (values (1)) as one left join w on true`

// Whoever changes the amounts of a currency locks its wallets first, so what is read with a wallet locked is as it stays.
const currencyOfCode = `select ${currencyColumns.join(", ")} from currencies where code = $1`

interface OpenedRow {
  readonly has_user: boolean
  readonly has_purse: boolean
  readonly wallet_balance: number | null
  readonly wallet_anchor_at: Date | null
}

// All wallets of a currency at once: a million take longer than the timeout of a call, and less than a proxy waits for an answer.
const mostMillis = 60_000

const settle = `
  with locked as materialized (
    select * from wallets where currency_id = $1 order by app_user_id for no key update
  ), recharged as materialized (
    select w.app_user_id, ${rechargedSql("w", "c", "$2::timestamptz")} as amount
    from locked w cross join (values ($3::numeric, $4::numeric, $5::numeric))
      as c (max_balance, auto_recharge_amount, auto_recharge_interval_hours)
  ), settled as (
    update wallets w set balance = w.balance + r.amount, anchor_at = $2, updated_at = $2
    from recharged r where w.currency_id = $1 and w.app_user_id = r.app_user_id
    returning w.app_user_id, w.currency_code, r.amount, w.balance
  )
  insert into currency_transactions (${writtenColumns.join(", ")})
  select ${uuidSql("$6::bigint", "number")}, app_user_id, $1, currency_code, amount, balance, 'recharge', 'system', null, null, $2
  from (select *, row_number() over (order by app_user_id) as number from settled where amount > 0) as changed
  order by number`

const mostMismatches = 1_000

// An untouched wallet is none: it has neither a balance nor transactions.
const verify = `
  with sums as (
    select t.app_user_id, t.currency_id, sum(t.amount) as sum, count(*) as transactions
    from currency_transactions t join currencies c on c.id = t.currency_id group by t.app_user_id, t.currency_id
  ), compared as materialized (
    select app_user_id, currency_id, w.balance is not null as has_wallet, coalesce(w.balance, 0) as balance,
      coalesce(s.sum, 0) as sum, coalesce(s.transactions, 0) as transactions
    from wallets w full join sums s using (app_user_id, currency_id)
  )
  select (select count(*) from compared where has_wallet)::int as wallets,
    (select coalesce(sum(transactions), 0) from compared)::float8 as transactions,
    (select coalesce(json_agg(m), '[]') from (
      select app_user_id, code as currency_code, balance, sum from compared join currencies on id = currency_id
      where balance <> sum order by app_user_id, code limit ${mostMismatches}
    ) as m) as mismatches`

const shown = Object.keys(CurrencyTransaction.fields).join(", ")

const transactions = `
  select ${shown} from currency_transactions where app_user_id = $1 order by position desc limit $2 offset $3`

const transactionsBefore = `
  select ${shown} from currency_transactions
  where app_user_id = $1 and position < (select position from currency_transactions where id = $4 and app_user_id = $1)
  order by position desc limit $2 offset $3`

/** Wallets and their ledger. */
export const makeWallets = (statements: Statements): Wallets => ({
  open: (keys) =>
    Effect.map(
      statements.prepared<Joined & { readonly app_user_id: string }>("open-wallets", open, [
        keys.map(({ app_user_id }) => app_user_id),
        keys.map(({ currency_id }) => currency_id),
      ]),
      (rows) =>
        rows.map(
          (row): OpenWallet => ({
            app_user_id: row.app_user_id,
            currency: readCurrency(row),
            wallet: readWallet(row),
          }),
        ),
    ),
  openOne: (userId, code) =>
    Effect.map(
      Effect.all(
        [
          statements.lock<OpenedRow>("open-wallet", openOne, [userId, code]),
          statements.lock<CurrencyRow>("currency-of-code", currencyOfCode, [code]),
        ],
        { concurrency: statements.concurrency },
      ),
      ([[row], [currency = null]]): OpenedOne => ({
        hasUser: row?.has_user === true,
        hasPurse: row?.has_purse === true,
        currency,
        wallet: row === undefined ? null : readWallet(row),
      }),
    ),
  writeOne: makeWriteOne(statements),
  write: makeWrite(statements),
  settle: Effect.fnUntraced(function* ({ id, max_balance, auto_recharge_amount, auto_recharge_interval_hours }, now) {
    yield* statements.allow(mostMillis)
    yield* statements.rows(settle, [
      ...[id, now, max_balance, auto_recharge_amount, auto_recharge_interval_hours],
      now.getTime(),
    ])
  }),
  lockAll: Effect.fnUntraced(function* (currencyId) {
    yield* statements.allow(mostMillis)
    yield* statements.rows("select from wallets where currency_id = $1 order by app_user_id for no key update", [
      currencyId,
    ])
  }),
  ofUser: (userId) =>
    Effect.map(
      statements.rows<Joined>(
        `select ${columnsOf("c")}, ${walletColumns}
         from currencies c left join wallets w on w.currency_id = c.id and w.app_user_id = $1 order by c.code collate "C"`,
        [userId],
      ),
      (rows) => rows.map((row) => ({ currency: readCurrency(row), wallet: readWallet(row) })),
    ),
  transactions: Effect.fnUntraced(function* (userId, { limit, offset }) {
    const rows = yield* statements.rows<CurrencyTransaction>(transactions, [userId, limit, offset])
    const [counted] = yield* statements.rows<{ readonly total: number }>(
      "select count(*)::int as total from currency_transactions where app_user_id = $1",
      [userId],
    )
    return { rows, total: counted?.total ?? 0 }
  }),
  transactionsBefore: (userId, id, { limit, offset }) =>
    statements.rows<CurrencyTransaction>(transactionsBefore, [userId, limit, offset, id]),
  findTransaction: (id) =>
    Effect.map(
      statements.rows<TransactionWrite>(
        `select ${writtenColumns.map((column) => (units.has(column) ? `(${column} * 10000)::float8 as ${column}` : column)).join(", ")}
         from currency_transactions where id = $1`,
        [id],
      ),
      ([row]) => Option.fromNullishOr(row),
    ),
  isReversed: (id) =>
    Effect.map(
      statements.count("select from currency_transactions where reverses_id = $1", [id]),
      (count) => count > 0,
    ),
  verify: () =>
    Effect.map(
      statements.rows<Verification>(verify),
      ([row]) => row ?? { wallets: 0, transactions: 0, mismatches: [] },
    ),
})
