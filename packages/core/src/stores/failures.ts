import { failure } from "../failure.ts"

/** The store is for a segment that the user is not in [G6.5]. */
export class NotEligible extends failure("NotEligible", "forbidden", "NOT_ELIGIBLE", "This is not for you.") {}

/** The item is not on sale now [G6.5]. */
export class NotAvailable extends failure("NotAvailable", "conflict", "NOT_AVAILABLE", "This is not on sale now.") {}

/** The item has no price in this currency [G6.3]. */
export class CurrencyNotAccepted extends failure(
  "CurrencyNotAccepted",
  "invalid",
  "CURRENCY_NOT_ACCEPTED",
  "This is not sold for this currency.",
) {}

/** The user has bought it as often as a user may [G6.5]. */
export class PurchaseLimitReached extends failure(
  "PurchaseLimitReached",
  "conflict",
  "PURCHASE_LIMIT_REACHED",
  "You cannot buy this any more.",
) {}

/** The user has fewer of the item. */
export class InsufficientQuantity extends failure(
  "InsufficientQuantity",
  "conflict",
  "INSUFFICIENT_QUANTITY",
  "There are not as many of this item.",
) {}
