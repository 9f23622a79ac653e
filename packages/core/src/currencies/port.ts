import type { Effect, Option } from "effect"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { CurrencyRow } from "./currency.ts"
import type { Units } from "./money.ts"
import type { CurrencyTransaction, Verification } from "./transaction.ts"
import type { WalletState } from "./wallet.ts"

/** The currencies of a project. Unique: `code`. Wallets go with them, transactions stay [G4.9]. */
export interface Currencies extends Table<CurrencyRow> {
  /** Keeps others from making a currency until the transaction ends. */
  lockCreation(): Effect.Effect<void>
  count(): Effect.Effect<number>
  /** Those of these codes. */
  findCodes(codes: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<CurrencyRow>>
}

/** The purses of users: a row per user, made on first use, that serializes what changes what the user owns [G0.5]. */
export interface Purses {
  /**
   * Locks those of the users that exist against removal, then their purses, each kind in the order of their ids, until the
   * transaction ends. Answers the ids of those users.
   */
  lockMany(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>>
}

/** A wallet by its user and currency. */
export interface WalletKey {
  readonly app_user_id: string
  readonly currency_id: string
}

/** A wallet that is locked, with its currency. The wallet is null before its first change. */
export interface OpenWallet {
  readonly app_user_id: string
  readonly currency: CurrencyRow
  readonly wallet: WalletState | null
}

/** Wallets that a caller has locked. */
export interface LockedWallets {
  readonly wallets: ReadonlyArray<OpenWallet>
  /** Whether the amounts of their currencies stay as they are until the transaction ends, as `openOne` says. */
  readonly isFixed: boolean
}

/** What `openOne` has found. */
export interface OpenedOne {
  readonly hasUser: boolean
  /** Whether the purse is locked: not before its first use. */
  readonly hasPurse: boolean
  readonly currency: CurrencyRow | null
  readonly wallet: WalletState | null
}

/** A wallet to write, by the `rules` of the currency that it was changed by. */
export interface WalletWrite extends WalletKey, WalletState {
  readonly currency_code: string
  readonly rules: number
}

/** A row of the ledger to write. Its amounts are in ten-thousandths. */
export interface TransactionWrite extends Omit<CurrencyTransaction, "amount" | "balance_after"> {
  readonly amount: Units
  readonly balance_after: Units
  /** The transaction that it reverses. Unique. */
  readonly reverses_id: string | null
}

/**
 * The wallets of users and the ledger of what changed them, written together. Whoever changes a wallet holds the purse of its
 * user, but for `settle` and the removal of a currency: these take no purse.
 */
export interface Wallets {
  /**
   * Locks the wallets of these keys in their order, and answers them with their currencies. Currencies that get their first
   * wallet of a user are locked before (`share`). Keys of currencies that are gone are left out. The caller holds the purses.
   */
  open(keys: ReadonlyArray<WalletKey>): Effect.Effect<ReadonlyArray<OpenWallet>>
  /**
   * Locks a user against removal, the purse and the wallet of a currency by its code, and reads the currency then: where there is
   * a wallet, its amounts stay as they are until the transaction ends. Makes nothing.
   */
  openOne(userId: string, code: string): Effect.Effect<OpenedOne>
  /** Writes a wallet that `openOne` has locked, with the transaction that changes it. Writes neither where there is no wallet. */
  writeOne(wallet: WalletWrite, transaction: TransactionWrite, now: Date): Effect.Effect<void>
  /**
   * Writes wallets of `open`, each once, and their transactions, in the order given. Writes nothing and answers false where the amounts of one of
   * the currencies have changed since `open`, or the currency is gone.
   */
  write(
    wallets: ReadonlyArray<WalletWrite>,
    transactions: ReadonlyArray<TransactionWrite>,
    now: Date,
  ): Effect.Effect<boolean>
  /**
   * Recharges all wallets of a currency by the rules of this row, with a transaction `recharge` where something has recharged, and
   * counts their intervals from `now` on [G4.4]. The caller has locked the currency.
   */
  settle(currency: CurrencyRow, now: Date): Effect.Effect<void>
  /** Locks all wallets of a currency, in the order of their users. */
  lockAll(currencyId: string): Effect.Effect<void>
  /** All currencies by code, with the wallets that a user has. Locks nothing. */
  ofUser(userId: string): Effect.Effect<ReadonlyArray<Omit<OpenWallet, "app_user_id">>>
  /** A user's transactions, those written last first. */
  transactions(userId: string, slice: Slice): Effect.Effect<Page<CurrencyTransaction>>
  /** A slice of those that were written before one of them; none where that is no transaction of the user. */
  transactionsBefore(userId: string, id: string, slice: Slice): Effect.Effect<ReadonlyArray<CurrencyTransaction>>
  /** A transaction with its amount in ten-thousandths. */
  findTransaction(id: string): Effect.Effect<Option.Option<TransactionWrite>>
  isReversed(id: string): Effect.Effect<boolean>
  /** Compares the balances of all currencies that exist with the sums of their transactions. At most 1,000 mismatches are answered. */
  verify(): Effect.Effect<Verification>
}

/** What a project's database has for currencies. */
export interface CurrenciesDb {
  readonly currencies: Currencies
  readonly purses: Purses
  readonly wallets: Wallets
}
