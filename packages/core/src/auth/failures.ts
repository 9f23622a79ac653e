import { failure } from "../failure.ts"

/** The email has an account. */
export class EmailExists extends failure(
  "EmailExists",
  "conflict",
  "EMAIL_EXISTS",
  "There is an account with this email already.",
) {}

/** Shorter than 8 characters. */
export class WeakPassword extends failure(
  "WeakPassword",
  "invalid",
  "WEAK_PASSWORD",
  "The password must have at least 8 characters.",
) {}

/** The same for an unknown email and for a wrong password. */
export class InvalidCredentials extends failure(
  "InvalidCredentials",
  "unauthenticated",
  "INVALID_CREDENTIALS",
  "The email or the password is wrong.",
) {}
