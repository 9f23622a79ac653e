import { IdCursor, InvalidAmount, InvalidInput, InvalidToken, LimitReached, NotFound, Text } from "@hearth/core"
import {
  AlreadyReversed,
  Balance,
  CodeExists,
  Currency,
  CurrencyChanges,
  CurrencyChangesInput,
  CurrencyInput,
  CurrencyNotFound,
  CurrencyTransaction,
  Grant,
  GrantInput,
  InsufficientBalance,
  NewCurrency,
  NotReversible,
  Spend,
  SpendInput,
  Verification,
  WalletReceipt,
} from "@hearth/core/currencies"
import { InvalidCursor } from "@hearth/core/events"
import { IdempotencyKeyReused } from "@hearth/core/idempotency"
import { InsufficientQuantity } from "@hearth/core/stores"
import { UserNotFound } from "@hearth/core/users"
import { paging, readsOn } from "../http/request/query.ts"
import { created, deleted, listPageOf, ok, pageOf, sliceOf } from "../http/response/answers.ts"
import { addHeaderKey, idempotencyKey } from "./idempotency-key.ts"
import { route } from "./route.ts"

/** Decisions D and G4: what a user has, and spends. */
const clientCurrencies = [
  route("GET", "/client/currencies", {
    id: "client.currencies.list",
    summary: "Lists the caller's balances in all currencies, with what has recharged by now",
    description: "One entry for each currency. A currency that recharges shows what is there now and when more comes.",
    access: "client",
    errors: [InvalidToken],
    query: paging(),
    returns: sliceOf(Balance),
    run: ({ core, caller }) => core.currencies.own(caller.project_id, caller.user_id),
  }),
  route("GET", "/client/currencies/transactions", {
    id: "client.currencies.transactions",
    summary: "Lists the caller's transactions, the newest first",
    description: "The ledger of the caller: signed amounts, each with the balance after it.",
    access: "client",
    query: paging(),
    returns: pageOf(CurrencyTransaction),
    run: ({ core, caller, query }) => core.currencies.transactions(caller.project_id, caller.user_id, query),
  }),
  route("POST", "/client/currencies/:code/spend", {
    id: "client.currencies.spend",
    summary: "Takes an amount from the caller's balance; repeated with one idempotency_key it is done once",
    description:
      "More than there is, is 409 `INSUFFICIENT_BALANCE`. Send an `idempotency_key`, or the header `Idempotency-Key`: then a repeated call takes once.",
    access: "client",
    headers: idempotencyKey,
    params: { code: Text },
    body: SpendInput,
    bodyShape: Spend,
    errors: [InvalidAmount, InvalidToken, CurrencyNotFound, InsufficientBalance, IdempotencyKeyReused],
    returns: created(WalletReceipt),
    run: ({ core, caller, params, headers, body }) =>
      core.currencies.spend(caller.project_id, caller.user_id, params.code, addHeaderKey(body, headers)),
  }),
]

/** Spec: admin plane, currencies. */
const adminCurrencies = [
  route("POST", "/admin/projects/:projectId/currencies", {
    id: "currencies.create",
    summary: "Makes a currency",
    description:
      "`code` is what apps and prices use: capital letters, digits and `_`. For energy that comes back set both `auto_recharge_` fields.",
    access: "developer",
    body: CurrencyInput,
    bodyShape: NewCurrency,
    errors: [InvalidInput, InvalidAmount, CodeExists, LimitReached],
    returns: created(Currency),
    run: ({ core, params, body }) => core.currencies.create(params.projectId, body),
  }),
  route("GET", "/admin/projects/:projectId/currencies", {
    id: "currencies.list",
    summary: "Lists the currencies by code",
    description: "The definitions; balances are by user.",
    access: "developer",
    query: paging(),
    returns: pageOf(Currency),
    run: ({ core, params, query }) => core.currencies.list(params.projectId, query),
  }),
  route("PATCH", "/admin/projects/:projectId/currencies/:currencyId", {
    id: "currencies.update",
    summary: "Changes a currency; what has recharged by then is kept, and balances over a lowered maximum stay",
    description: "Only the keys that are sent change; `code` stays.",
    access: "developer",
    body: CurrencyChangesInput,
    bodyShape: CurrencyChanges,
    errors: [InvalidInput, InvalidAmount, NotFound],
    returns: ok(Currency),
    run: ({ core, params, body }) => core.currencies.update(params.projectId, params.currencyId, body),
  }),
  route("DELETE", "/admin/projects/:projectId/currencies/:currencyId", {
    id: "currencies.delete",
    summary: "Removes a currency with its wallets and prices; its transactions stay",
    description: "A new currency of the same code starts anew.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.currencies.remove(params.projectId, params.currencyId),
  }),
  route("POST", "/admin/projects/:projectId/currencies/grant", {
    id: "currencies.grant",
    summary: "Gives a user an amount, clamped at the maximum; repeated with one Idempotency-Key it is done once",
    description: "Money by hand. What goes over the maximum is lost; the transaction says what was added.",
    access: "developer",
    headers: idempotencyKey,
    body: GrantInput,
    bodyShape: Grant,
    errors: [InvalidAmount, UserNotFound, CurrencyNotFound, IdempotencyKeyReused],
    returns: created(WalletReceipt),
    fault: "GRANT_FAILED",
    run: ({ core, params, headers, body }) =>
      core.currencies.grant(params.projectId, body, headers["Idempotency-Key"] ?? null),
  }),
  route("GET", "/admin/projects/:projectId/currencies/transactions/:userId", {
    id: "users.currencies.transactions",
    summary: "Lists a user's transactions, the newest first",
    description:
      "The ledger of a user, with what may be reversed. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is.",
    access: "developer",
    query: { ...paging(), ...readsOn(IdCursor) },
    malformed: { cursor: InvalidCursor },
    errors: [InvalidCursor],
    returns: listPageOf(CurrencyTransaction, IdCursor),
    run: ({ core, params, query }) => core.currencies.ledger(params.projectId, params.userId, query),
  }),
  route("POST", "/admin/projects/:projectId/currencies/transactions/:transactionId/reverse", {
    id: "currencies.reverse",
    summary: "Undoes a grant, spend, reward or purchase once; the item of a purchase goes too",
    description:
      "Writes a transaction of the opposite sign; the first one stays. A second time is 409 `ALREADY_REVERSED`.",
    access: "developer",
    errors: [NotFound, NotReversible, AlreadyReversed, InsufficientBalance, InsufficientQuantity],
    returns: created(WalletReceipt),
    run: ({ core, params }) => core.currencies.reverse(params.projectId, params.transactionId),
  }),
  route("GET", "/admin/projects/:projectId/currencies/verify", {
    id: "currencies.verify",
    summary: "Compares every balance with the sum of its transactions; names at most 1,000 that differ",
    description: "A proof that no money is lost: `mismatches` is empty unless something is wrong.",
    access: "developer",
    returns: ok(Verification),
    run: ({ core, params }) => core.currencies.verify(params.projectId),
  }),
  route("GET", "/admin/projects/:projectId/users/:userId/currencies", {
    id: "users.currencies.list",
    summary: "Lists a user's balances in all currencies, with what has recharged by now",
    description: "It is the same list that the user sees as `client.currencies.list`.",
    access: "developer",
    errors: [UserNotFound],
    query: paging(),
    returns: sliceOf(Balance),
    run: ({ core, params }) => core.currencies.ofUser(params.projectId, params.userId),
  }),
]

/** Currencies, what users have of them, and the ledger. */
export const currencyRoutes = [...clientCurrencies, ...adminCurrencies]
