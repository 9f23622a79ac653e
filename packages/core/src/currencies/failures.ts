import { failure } from "../failure.ts"

/** The code is another currency's of this project [G4.1]. */
export class CodeExists extends failure("CodeExists", "conflict", "CODE_EXISTS", "There is a currency of this code.") {}

/** The project has no currency of this code [G4.3]. */
export class CurrencyNotFound extends failure(
  "CurrencyNotFound",
  "not_found",
  "CURRENCY_NOT_FOUND",
  "There is no such currency.",
) {}

/** The wallet has less than what is taken. `details` has `balance`. Nothing was changed. */
export class InsufficientBalance extends failure(
  "InsufficientBalance",
  "conflict",
  "INSUFFICIENT_BALANCE",
  "The balance is not enough.",
) {}

/** The transaction was reversed before [G4.7]. */
export class AlreadyReversed extends failure(
  "AlreadyReversed",
  "conflict",
  "ALREADY_REVERSED",
  "The transaction was reversed before.",
) {}

/** Transactions of this type are not reversed [G4.7]. */
export class NotReversible extends failure(
  "NotReversible",
  "conflict",
  "NOT_REVERSIBLE",
  "Transactions of this type cannot be reversed.",
) {}
