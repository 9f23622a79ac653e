import type { Cause } from "effect"
import { Data } from "effect"
import { describeIssues } from "./input-issues.ts"

/** The kind of a failure. HTTP and workers each map it to their own answer [A3]. */
export type FailureKind =
  | "invalid"
  | "unauthenticated"
  | "payment_required"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_large"
  | "rate_limited"
  | "internal"
  | "upstream"
  | "unavailable"

/** Details of a failure that a caller can act on, for example `{ limit, supplied }`. */
export type FailureDetails = Readonly<Record<string, unknown>>

/** An expected failure of a use case: a stable `code` of the spec, a `kind`, a sentence for people. */
export interface Failure extends Cause.YieldableError {
  readonly _tag: string
  readonly code: string
  readonly kind: FailureKind
  readonly details?: FailureDetails
}

/** The class of a failure. Its code, kind and sentence are static, because the API reference is generated from them. */
export interface FailureClass<Tag extends string = string> {
  /** Its sentence is `message`, else what `details.issues` names, else that of the class. */
  new (details?: FailureDetails, message?: string): Failure & { readonly _tag: Tag }
  readonly code: string
  readonly kind: FailureKind
  readonly sentence: string
}

/** Declares a failure: `class GroupFull extends failure("GroupFull", "conflict", "GROUP_FULL", "The group is full.") {}`. */
export const failure = <Tag extends string>(
  tag: Tag,
  kind: FailureKind,
  code: string,
  sentence: string,
): FailureClass<Tag> => {
  class Declared extends Data.TaggedError(tag)<{ readonly details?: FailureDetails; readonly message: string }> {
    static readonly code = code
    static readonly kind = kind
    static readonly sentence = sentence
    readonly code = code
    readonly kind = kind
    constructor(details?: FailureDetails, given?: string) {
      const message = given ?? describeIssues(details?.["issues"]) ?? sentence
      super(details === undefined ? { message } : { message, details })
    }
  }
  return Declared as unknown as FailureClass<Tag>
}

/** Declares the failure of one field of an input with a code of its own: `details.issues` names the field where nothing else is said [A5]. */
export const fieldFailure = <Tag extends string>(
  tag: Tag,
  code: string,
  field: string,
  fault: string,
): FailureClass<Tag> => {
  const Declared = failure(tag, "invalid", code, `${field} ${fault}.`)
  return class extends Declared {
    constructor(details: FailureDetails = { issues: [{ path: field, message: fault }] }, message?: string) {
      super(details, message)
    }
  }
}

/** The row does not exist, or is not the caller's: the same answer for both. */
export class NotFound extends failure("NotFound", "not_found", "NOT_FOUND", "There is no such thing here.") {}

/** An input of the caller is not valid. `details.issues` is `[{ path, message }]`. */
export class InvalidInput extends failure("InvalidInput", "invalid", "INVALID_INPUT", "The input is not valid.") {}

/** The caller is authenticated but not allowed to do this. */
export class Forbidden extends failure("Forbidden", "forbidden", "FORBIDDEN", "You may not do this.") {}

/** There are as many as there may be: of a project's links [I0.2], or of a developer's projects. `details` has `limit`. */
export class QuotaExceeded extends failure(
  "QuotaExceeded",
  "conflict",
  "QUOTA_EXCEEDED",
  "There are too many of these.",
) {}

/** There are as many definitions of this kind as there may be [G0.6]. `details` has `limit`. */
export class LimitReached extends failure(
  "LimitReached",
  "conflict",
  "LIMIT_REACHED",
  "There are too many of these.",
) {}

/** An amount is no number, out of range, or has more than 4 decimals [G4.2]. */
export class InvalidAmount extends failure(
  "InvalidAmount",
  "invalid",
  "INVALID_AMOUNT",
  "amount must be a number with at most 4 decimals, in the range of this call.",
) {}

/** The credential is missing or not accepted. */
export class Unauthorized extends failure(
  "Unauthorized",
  "unauthenticated",
  "UNAUTHORIZED",
  "A valid credential is required.",
) {}

/** The token is malformed, expired, revoked, of another kind or of another project: the same answer for all. */
export class InvalidToken extends failure(
  "InvalidToken",
  "unauthenticated",
  "INVALID_TOKEN",
  "The token is not valid.",
) {}

/**
 * The project's own database cannot be reached. Other projects are not affected [A3]. With `details.outcome` "unknown" the
 * connection was lost while a write was committed, and nobody could be asked whether it was; otherwise nothing was changed.
 */
export class TenantUnavailable extends failure(
  "TenantUnavailable",
  "upstream",
  "TENANT_UNAVAILABLE",
  "The project's database cannot be reached.",
) {}

/**
 * Too many calls wait for the project's database, what this one has to change was locked for too long, what it reads took longer than
 * a statement may, or the schema is being brought up to date. Nothing was changed. `details.retry_after_seconds` is when to try again [A3].
 */
export class TenantBusy extends failure(
  "TenantBusy",
  "unavailable",
  "TENANT_BUSY",
  "The project's database is busy. Try again.",
) {}

/** There is no such project. Use cases answer it to embedders; callers over HTTP have found the project before, by their keys. */
export class ProjectNotFound extends failure(
  "ProjectNotFound",
  "not_found",
  "NOT_FOUND",
  "There is no such project.",
) {}

/** What every use of a project's database may fail with. */
export type TenantFailure = TenantUnavailable | TenantBusy | ProjectNotFound

/**
 * The control database cannot be reached or is too busy, so nobody can be answered. Use cases die with it rather than fail: every route may
 * answer it, and none can do anything about it [A3].
 */
export class ServiceUnavailable extends failure(
  "ServiceUnavailable",
  "unavailable",
  "SERVICE_UNAVAILABLE",
  "The service cannot answer right now. Try again.",
) {}

/** Too many calls. `details.retry_after_seconds` is the time until the next one can succeed. */
export class RateLimitExceeded extends failure(
  "RateLimitExceeded",
  "rate_limited",
  "RATE_LIMIT_EXCEEDED",
  "Too many requests. Wait before the next one.",
) {
  constructor(details?: FailureDetails, message?: string) {
    const seconds = Math.max(1, Math.ceil(Number(details?.["retry_after_seconds"])))
    const said = Number.isFinite(seconds)
      ? `Too many requests. Wait ${seconds} ${seconds === 1 ? "second" : "seconds"} before the next one.`
      : undefined
    super(details, message ?? said)
  }
}
