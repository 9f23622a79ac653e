import { Effect, Schema } from "effect"
import { InvalidAmount, InvalidToken, NotFound } from "../failure.ts"
import { answerOnce, IdempotencyKey } from "../idempotency/answer-once.ts"
import type { IdempotencyDb } from "../idempotency/port.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { Money, Prose, Text, Uuid } from "../schema.ts"
import { UserNotFound } from "../users/failures.ts"
import { changeWallets, lockPurses, makeReceipt, type WalletChange } from "./change-wallets.ts"
import { AlreadyReversed, CurrencyNotFound, NotReversible } from "./failures.ts"
import { isPositiveAmount, maxAmount, toUnits } from "./money.ts"
import type { CurrenciesDb, OpenWallet, TransactionWrite } from "./port.ts"
import { type TransactionType, WalletReceipt } from "./transaction.ts"

const reason = Schema.optionalKey(Schema.NullOr(Prose))
const amountShape = { amount: Money.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(maxAmount)) }

const granted = { app_user_id: Uuid, currency_code: Text, reason }
const spent = { reason, idempotency_key: Schema.optionalKey(IdempotencyKey) }

/** A grant by hand. The amount is checked by the use case, because a bad one has a code of its own [G4.2]. */
export const GrantInput = Schema.Struct({ ...granted, amount: Schema.optionalKey(Schema.Unknown) })

/** A grant by hand, as the reference shows it. */
export const Grant = Schema.Struct({ ...granted, ...amountShape }).annotate({ identifier: "CurrencyGrant" })

/** What a user spends. The amount is checked by the use case [G4.2]. */
export const SpendInput = Schema.Struct({ ...spent, amount: Schema.optionalKey(Schema.Unknown) })

/** What a user spends, as the reference shows it. */
export const Spend = Schema.Struct({ ...spent, ...amountShape }).annotate({ identifier: "CurrencySpend" })

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
  /** Locks the user, the purse and the wallet of a currency. In one statement, unless it is one of their first uses. */
  const openWallet = Effect.fnUntraced(function* <F>(db: Db, userId: string, code: string, NoUser: new () => F) {
    const { hasUser, hasPurse, currency, wallet } = yield* db.wallets.openOne(userId, code)
    if (!hasUser) return yield* Effect.fail(new NoUser())
    if (currency === null) return yield* new CurrencyNotFound()
    if (wallet !== null) return { app_user_id: userId, currency, wallet } satisfies OpenWallet
    if (!hasPurse) yield* lockPurses(db, [userId])
    const [open] = yield* db.wallets.open([{ app_user_id: userId, currency_id: currency.id }])
    return open ?? (yield* new CurrencyNotFound())
  })

  const changeOne = Effect.fnUntraced(function* (db: Db, open: OpenWallet, change: Change) {
    const key = { app_user_id: open.app_user_id, currency_id: open.currency.id, reverses_id: null }
    // Not before the locks, so that the rows of a wallet have ascending times.
    const [row] = yield* changeWallets(db, ids, [{ ...key, ...change }], clock.now(), [open])
    return row === undefined || row === null ? yield* new CurrencyNotFound() : makeReceipt(row)
  })

  return {
    /**
     * Gives a user an amount, clamped at the maximum; what is clamped to nothing is written all the same. Once by `key`. The
     * checks are in the order of [G4.3].
     */
    grant: Effect.fn("currencies.grant")(function* (
      projectId: string,
      { app_user_id, currency_code, amount, reason = null }: typeof GrantInput.Type,
      key: string | null = null,
    ) {
      if (!isPositiveAmount(amount)) return yield* new InvalidAmount()
      const call = { operation: "currencies.grant", caller: null, owner: app_user_id, key, answer: WalletReceipt }
      const change = { kind: "credit", amount: toUnits(amount), transaction_type: "grant", source: "admin" } as const
      return yield* tenants.transact(projectId, (db) =>
        answerOnce(
          db,
          { ...call, input: { app_user_id, currency_code, amount, reason }, now: clock.now() },
          Effect.flatMap(openWallet(db, app_user_id, currency_code, UserNotFound), (open) =>
            // A credit is never refused.
            Effect.catchTag(
              changeOne(db, open, { ...change, reference_id: reason }),
              "InsufficientBalance",
              Effect.die,
            ),
          ),
        ),
      )
    }),

    /** Takes an amount from the caller's wallet, or fails where the balance is not enough. Once by its key [G4.6]. */
    spend: Effect.fn("currencies.spend")(function* (
      projectId: string,
      userId: string,
      code: string,
      { amount, reason = null, ...input }: typeof SpendInput.Type,
    ) {
      if (!isPositiveAmount(amount)) return yield* new InvalidAmount()
      const key = input.idempotency_key ?? null
      const call = { operation: "currencies.spend", caller: userId, owner: userId, key, answer: WalletReceipt }
      const change = { kind: "debit", amount: toUnits(amount), transaction_type: "spend", source: "client" } as const
      return yield* tenants.transact(projectId, (db) =>
        answerOnce(
          db,
          { ...call, input: { currency_code: code, amount, reason }, now: clock.now() },
          Effect.flatMap(openWallet(db, userId, code, InvalidToken), (open) =>
            changeOne(db, open, { ...change, reference_id: reason }),
          ),
        ),
      )
    }),

    /** Undoes a transaction once, with one of the opposite amount; a credit is clamped as any. The item of a purchase goes too [G4.7]. */
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
          const [row] = yield* changeWallets(db, ids, [change], now, [open])
          if (row === undefined || row === null) return yield* new NotFound()
          if (undone.transaction_type === "purchase") yield* undoPurchase(db, undone, now)
          return makeReceipt(row)
        }),
      ),
    ),
  }
}
