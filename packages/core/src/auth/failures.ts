import { failure } from "../failure.ts"

/** The email has an account. */
export class EmailExists extends failure(
  "EmailExists",
  "conflict",
  "EMAIL_EXISTS",
  "There is an account with this email already.",
) {}

/** The password is shorter than 8 characters. */
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

/** The project has no audience for this provider. Without one, tokens of other apps would be accepted, so all are refused. */
export class AudienceNotConfigured extends failure(
  "AudienceNotConfigured",
  "invalid",
  "AUDIENCE_NOT_CONFIGURED",
  "The project has no audience for this provider: set bundle_id or oauth_client_id.",
) {}

/** The provider cannot be linked: email identities come only from signup and login. */
export class UnsupportedProvider extends failure(
  "UnsupportedProvider",
  "invalid",
  "UNSUPPORTED_PROVIDER",
  "This provider cannot be linked.",
) {}

/** The session that was to be upgraded or linked is not valid. */
export class InvalidSession extends failure(
  "InvalidSession",
  "unauthenticated",
  "INVALID_SESSION",
  "The session is not valid.",
) {}

/** The identity belongs to another user. */
export class IdentityAlreadyLinked extends failure(
  "IdentityAlreadyLinked",
  "conflict",
  "IDENTITY_ALREADY_LINKED",
  "This identity belongs to another user.",
) {}

/** The project has reached its cap of monthly active users. */
export class MauCapExceeded extends failure(
  "MauCapExceeded",
  "payment_required",
  "MAU_CAP_EXCEEDED",
  "The project has reached its monthly active users.",
) {}
