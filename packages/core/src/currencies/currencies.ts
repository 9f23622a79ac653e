import { Effect, Option } from "effect"
import { InvalidCursor } from "../events/failures.ts"
import { InvalidToken, LimitReached, NotFound } from "../failure.ts"
import { type IdPosition, type ListQuery, readList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import type { Balance, Currency, CurrencyChangesInput, CurrencyInput, CurrencyRow } from "./currency.ts"
import { CodeExists } from "./failures.ts"
import { fromUnits } from "./money.ts"
import { type CurrencyAmounts, parseAmounts } from "./parse-amounts.ts"
import type { CurrenciesDb, OpenWallet } from "./port.ts"
import { nextRechargeAt, readBalance, readRules } from "./wallet.ts"

/** How many currencies a project may have [G0.6]. */
const mostCurrencies = 100

const noAmounts: CurrencyAmounts = {
  initial_balance: 0,
  max_balance: null,
  auto_recharge_amount: null,
  auto_recharge_interval_hours: null,
}

const showCurrency = ({ rules: _, ...currency }: CurrencyRow): Currency => currency

/** A wallet as its user sees it at `now` [G4.4]. */
const showBalance = ({ currency, wallet }: Omit<OpenWallet, "app_user_id">, now: Date): Balance => {
  const { code, name, description, is_premium, max_balance } = currency
  const rules = readRules(currency)
  const balance = fromUnits(readBalance(rules, wallet, now))
  return {
    code,
    name,
    description,
    is_premium,
    balance,
    max_balance,
    next_recharge_at: nextRechargeAt(rules, wallet, now),
  }
}

/** What else is removed with a currency, in the transaction that removes it and after its wallets are locked. */
export type RemoveWithCurrency<Db> = (db: Db, currency: CurrencyRow) => Effect.Effect<void>

/** The currencies of a project, and what users have of them [G4.1, G4.4]. */
export const makeCurrencies = <Db extends CurrenciesDb & UsersDb>(
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  removeWithCurrency: RemoveWithCurrency<Db>,
) => {
  const readBalances = Effect.fnUntraced(function* (db: Db, userId: string) {
    const all = yield* db.wallets.ofUser(userId)
    return all.map((each) => showBalance(each, clock.now()))
  })

  return {
    /**
     * Makes a currency [G4.1]. `CODE_EXISTS`; `INVALID_AMOUNT`; `INVALID_INPUT` for amounts that do not go together; `LIMIT_REACHED` over
     * 100 of a project [G0.6].
     */
    create: Effect.fn("currencies.create")(function* (projectId: string, input: CurrencyInput) {
      const { code, name, description, is_premium } = input
      const amounts = yield* Effect.fromResult(parseAmounts(input, noAmounts))
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* db.currencies.lockCreation()
          if ((yield* db.currencies.count()) >= mostCurrencies)
            return yield* new LimitReached({ limit: mostCurrencies })
          const own = { id: ids.uuid(), code, name, description, is_premium, created_at: clock.now(), rules: 0 }
          const row: CurrencyRow = { ...own, ...amounts }
          yield* Effect.mapError(db.currencies.insert(row), () => new CodeExists())
          return showCurrency(row)
        }),
      )
    }),

    /** All currencies of a project, by code [G4.1]. */
    list: (projectId: string, slice: Slice) =>
      Effect.map(
        tenants.read(projectId, (db) => db.currencies.page({}, [["code", "asc"]], slice)),
        ({ rows, total }) => ({ rows: rows.map(showCurrency), total }),
      ),

    /**
     * Changes a currency. Where its maximum or recharge changes, all its wallets are recharged by the old rule before, and count from now
     * on by the new one. A balance over a lowered maximum stays [G4.4]. `NOT_FOUND`; `INVALID_AMOUNT`; `INVALID_INPUT` for amounts that
     * do not go together.
     */
    update: Effect.fn("currencies.update")(function* (projectId: string, id: string, input: CurrencyChangesInput) {
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const stored = yield* orFail(db.currencies.lock(id), NotFound)
          const amounts = yield* Effect.fromResult(parseAmounts(input, stored))
          const { initial_balance, ...ofWallets } = amounts
          const changes = (names: ReadonlyArray<keyof CurrencyAmounts>) =>
            names.some((name) => amounts[name] !== stored[name])
          if (changes(Object.keys(ofWallets) as ReadonlyArray<keyof typeof ofWallets>)) {
            yield* db.wallets.lockAll(id)
            // Not before the locks, so that the rows of a wallet have ascending times.
            yield* db.wallets.settle(stored, clock.now())
          }
          const rules = stored.rules + (changes(Object.keys(amounts) as ReadonlyArray<keyof CurrencyAmounts>) ? 1 : 0)
          const { name = stored.name, description = stored.description, is_premium = stored.is_premium } = input
          const changed = { name, description, is_premium, ...amounts, rules }
          return showCurrency(Option.getOrThrow(yield* Effect.orDie(db.currencies.update(id, changed))))
        }),
      )
    }),

    /** Removes a currency with its wallets and prices; its transactions stay [G4.9]. Nothing happens where there is none. */
    remove: Effect.fn("currencies.remove")(function* (projectId: string, id: string) {
      yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const stored = yield* db.currencies.lock(id, "update")
          if (Option.isNone(stored)) return
          // In the order in which they are locked elsewhere: the removal itself has no order.
          yield* db.wallets.lockAll(id)
          yield* removeWithCurrency(db, stored.value)
          yield* db.currencies.remove({ id })
        }),
      )
    }),

    /** Whether every balance is the sum of its transactions [G4.8]. */
    verify: Effect.fn("currencies.verify")((projectId: string) => tenants.read(projectId, (db) => db.wallets.verify())),

    /**
     * The caller's balances by code, in units of the currency with at most 4 decimals; a read writes nothing [G4.4]. `INVALID_TOKEN` for
     * a user who is gone.
     */
    own: (projectId: string, userId: string) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.users.find({ id: userId }), InvalidToken)
          return yield* readBalances(db, userId)
        }),
      ),

    /** The balances of a user by code, for developers [G4.7]. `USER_NOT_FOUND`. */
    ofUser: (projectId: string, userId: string) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.users.find({ id: userId }), UserNotFound)
          return yield* readBalances(db, userId)
        }),
      ),

    /** The transactions of a user, the newest first. None of a user who is not there [G4.5]. */
    transactions: (projectId: string, userId: string, slice: Slice) =>
      tenants.read(projectId, (db) => db.wallets.transactions(userId, slice)),

    /** The same, which can be read on after a transaction: one of the user. `INVALID_CURSOR` for another [A8]. */
    ledger: Effect.fn("currencies.ledger")((projectId: string, userId: string, query: ListQuery<IdPosition>) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* ({ wallets }) {
          const { cursor = "start" } = query
          if (cursor !== "start") {
            const found = yield* orFail(wallets.findTransaction(cursor.id), InvalidCursor)
            if (found.app_user_id !== userId) return yield* new InvalidCursor()
          }
          return yield* readList(query, {
            page: (slice) => wallets.transactions(userId, slice),
            after: ({ id }, slice) => wallets.transactionsBefore(userId, id, slice),
            place: ({ id }) => ({ id }),
          })
        }),
      ),
    ),
  }
}
