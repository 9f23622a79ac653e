import { Effect, Schema } from "effect"
import { InvalidAmount, InvalidToken, NotFound } from "../failure.ts"
import { IdempotencyKey, type IdempotentCall, openAndAnswerOnce } from "../idempotency/answer-once.ts"
import type { IdempotencyDb } from "../idempotency/port.ts"
import { orFail } from "../lookup.ts"
import { readByUseCase } from "../own-issues.ts"
import type { Ports } from "../ports/ports.ts"
import { Money, Prose, Text, Uuid } from "../schema.ts"
import { UserNotFound } from "../users/failures.ts"
import { changeWallets, lockPurses, makeReceipt, type WalletChange } from "./change-wallets.ts"
import { AlreadyReversed, CurrencyNotFound, NotReversible } from "./failures.ts"
import { isPositiveAmount, maxAmount, positiveAmountPhrase, toUnits } from "./money.ts"
import type { CurrenciesDb, OpenedOne, TransactionWrite } from "./port.ts"
import { type TransactionType, WalletReceipt } from "./transaction.ts"

const reason = Schema.optionalKey(Schema.NullOr(Prose))
const amountIssue = { path: "amount", message: positiveAmountPhrase }
const amountShape = { amount: Money.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(maxAmount)) }

const amount = readByUseCase((value) => (isPositiveAmount(value) ? [] : [amountIssue]))

const granted = { app_user_id: Uuid, currency_code: Text, reason }
const spent = { reason, idempotency_key: Schema.optionalKey(IdempotencyKey) }

/** A grant by hand. The amount is checked by the use case, because a bad one has a code of its own [G4.2]. */
export const GrantInput = Schema.Struct({ ...granted, amount: Schema.optionalKey(amount) })

/** A grant by hand, as the reference shows it. */
export const Grant = Schema.Struct({ ...granted, ...amountShape }).annotate({ identifier: "CurrencyGrant" })

/** What a user spends. The amount is checked by the use case [G4.2]. */
export const SpendInput = Schema.Struct({ ...spent, amount: Schema.optionalKey(amount) })

/** What a user spends, as the reference shows it. */
export const Spend = Schema.Struct({ ...spent, ...amountShape }).annotate({ identifier: "CurrencySpend" })

const invalidAmount = () => new InvalidAmount({ issues: [amountIssue] })

/** Takes back what a purchase gave, or fails. The caller holds the purse, and has locked the wallet. */
export type UndoPurchase<Db, E> = (
  db: Db,
  purchase: Pick<TransactionWrite, "app_user_id" | "reference_id">,
  now: Date,
) => Effect.Effect<void, E>

const reversible: ReadonlySet<TransactionType> = new Set(["grant", "spend", "reward", "purchase"])

type Change = Pick<WalletChange, "kind" | "amount" | "transaction_type" | "source" | "reference_id">

/** How money comes into wallets and out of them: grants, spending, and what undoes a transaction [G4.3, G4.6, G4.7]. */
export const makeMoveMoney = <Db extends CurrenciesDb & IdempotencyDb, E>(
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  undoPurchase: UndoPurchase<Db, E>,
) => {
  /** What `openOne` has found, locked; what is missing on the first use is made. */
  const lockWallet = Effect.fnUntraced(function* <F>(db: Db, userId: string, found: OpenedOne, NoUser: new () => F) {
    const { hasUser, hasPurse, currency, wallet } = found
    if (!hasUser) return yield* Effect.fail(new NoUser())
    if (currency === null) return yield* new CurrencyNotFound()
    const key = { app_user_id: userId, currency_id: currency.id }
    if (wallet !== null) return { key, locked: { wallets: [{ app_user_id: userId, currency, wallet }], isFixed: true } }
    if (!hasPurse) yield* lockPurses(db, [userId])
    return { key, locked: { wallets: yield* db.wallets.open([key]), isFixed: false } }
  })

  /** Changes the wallet of a currency, once where the call has a key. */
  const changeOne = <F>(
    db: Db,
    call: Omit<IdempotentCall<WalletReceipt>, "answer">,
    [userId, code]: readonly [userId: string, code: string],
    change: Change,
    NoUser: new () => F,
  ) =>
    openAndAnswerOnce(
      db,
      { ...call, answer: WalletReceipt },
      db.wallets.openOne(userId, code),
      Effect.fnUntraced(function* (found) {
        const { key, locked } = yield* lockWallet(db, userId, found, NoUser)
        // Not before the locks, so that the rows of a wallet have ascending times.
        const now = clock.now()
        const [row] = yield* changeWallets(db, ids, [{ ...key, ...change, reverses_id: null }], now, locked)
        return row === undefined || row === null ? yield* new CurrencyNotFound() : makeReceipt(row)
      }),
    )

  return {
    /**
     * Gives a user an amount, clamped at the maximum; what is clamped to nothing is written all the same. Once by `key`. The checks are
     * in the order of [G4.3]. `INVALID_AMOUNT`; `USER_NOT_FOUND`; `CURRENCY_NOT_FOUND`; `IDEMPOTENCY_KEY_REUSED` with another input [E5].
     */
    grant: Effect.fn("currencies.grant")(function* (
      projectId: string,
      { app_user_id, currency_code, amount, reason = null }: typeof GrantInput.Type,
      key: string | null = null,
    ) {
      if (!isPositiveAmount(amount)) return yield* invalidAmount()
      const input = { app_user_id, currency_code, amount, reason }
      const call = { operation: "currencies.grant", caller: null, owner: app_user_id, key, input }
      const change = { kind: "credit", amount: toUnits(amount), transaction_type: "grant", source: "admin" } as const
      const wallet = [app_user_id, currency_code] as const
      return yield* tenants.transact(projectId, (db) =>
        // A credit is never refused.
        Effect.catchTag(
          changeOne(db, { ...call, now: clock.now() }, wallet, { ...change, reference_id: reason }, UserNotFound),
          "InsufficientBalance",
          Effect.die,
        ),
      )
    }),

    /**
     * Takes an amount from the caller's wallet, once by its key [G4.6]. `INVALID_AMOUNT`; `CURRENCY_NOT_FOUND`; `INSUFFICIENT_BALANCE`;
     * `IDEMPOTENCY_KEY_REUSED` with another input [E5]; `INVALID_TOKEN` for a user who is gone.
     */
    spend: Effect.fn("currencies.spend")(function* (
      projectId: string,
      userId: string,
      code: string,
      { amount, reason = null, ...input }: typeof SpendInput.Type,
    ) {
      if (!isPositiveAmount(amount)) return yield* invalidAmount()
      const key = input.idempotency_key ?? null
      const call = { operation: "currencies.spend", caller: userId, owner: userId, key }
      const change = { kind: "debit", amount: toUnits(amount), transaction_type: "spend", source: "client" } as const
      return yield* tenants.transact(projectId, (db) =>
        changeOne(
          db,
          { ...call, input: { currency_code: code, amount, reason }, now: clock.now() },
          [userId, code],
          { ...change, reference_id: reason },
          InvalidToken,
        ),
      )
    }),

    /**
     * Undoes a transaction once, with one of the opposite amount; a credit is clamped as any. The item of a purchase goes too [G4.7].
     * `NOT_FOUND`; `ALREADY_REVERSED`; `NOT_REVERSIBLE` by its type; `INSUFFICIENT_BALANCE`; `INSUFFICIENT_QUANTITY` of the item.
     */
    reverse: Effect.fn("currencies.reverse")((projectId: string, transactionId: string) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const { app_user_id } = yield* orFail(db.wallets.findTransaction(transactionId), NotFound)
          yield* lockPurses(db, [app_user_id])
          const undone = yield* orFail(db.wallets.findTransaction(transactionId), NotFound)
          const [open] = yield* db.wallets.open([undone])
          // The transactions of a currency that is gone stay, but there is no wallet any more.
          if (open === undefined) return yield* new NotFound()
          if (!reversible.has(undone.transaction_type)) return yield* new NotReversible()
          if (yield* db.wallets.isReversed(transactionId)) return yield* new AlreadyReversed()
          const now = clock.now()
          const { currency_id, amount, id } = undone
          const change: WalletChange = {
            ...{ app_user_id, currency_id, kind: amount < 0 ? "credit" : "debit", amount: Math.abs(amount) },
            ...{ transaction_type: "reversal", source: "admin", reference_id: id, reverses_id: id },
          }
          const [row] = yield* changeWallets(db, ids, [change], now, { wallets: [open], isFixed: false })
          if (row === undefined || row === null) return yield* new NotFound()
          if (undone.transaction_type === "purchase") yield* undoPurchase(db, undone, now)
          return makeReceipt(row)
        }),
      ),
    ),
  }
}
