import { failure } from "@hearth/core"

/** The path is known, the method is not [A4]. Answered with `Allow`. */
export class MethodNotAllowed extends failure(
  "MethodNotAllowed",
  "invalid",
  "METHOD_NOT_ALLOWED",
  "This path does not have this method.",
) {}

/** The body is larger than the route takes [A9]. `details.limit` is in bytes. */
export class PayloadTooLarge extends failure(
  "PayloadTooLarge",
  "too_large",
  "PAYLOAD_TOO_LARGE",
  "The body is too large.",
) {}

/** The body is declared as something other than JSON in UTF-8 [A9]. */
export class UnsupportedMediaType extends failure(
  "UnsupportedMediaType",
  "invalid",
  "UNSUPPORTED_MEDIA_TYPE",
  "The body must be JSON in UTF-8.",
) {}

/** The query has a parameter that the route does not have. `details` has `parameter`, `known`, and `nearest` where one is near. */
export class UnknownParameter extends failure(
  "UnknownParameter",
  "invalid",
  "UNKNOWN_PARAMETER",
  "The query has a parameter that this call does not have.",
) {}

/** `limit` is not a whole number from 1 to 1000 [A8]. */
export class InvalidLimit extends failure(
  "InvalidLimit",
  "invalid",
  "INVALID_LIMIT",
  "limit must be an integer from 1 to 1000.",
) {}

/** `offset` is not a whole number from 0 [A8]. */
export class InvalidOffset extends failure(
  "InvalidOffset",
  "invalid",
  "INVALID_OFFSET",
  "offset must be an integer of at least 0.",
) {}

/** The service stops, and the call took longer than it waits. With `details.outcome` "unknown" a write may have been done [A3]. */
export class ServiceStopping extends failure(
  "ServiceStopping",
  "unavailable",
  "SERVICE_UNAVAILABLE",
  "The service is being stopped. Try again.",
) {}

/** What came is no request: a method that HTTP does not have, a character that may not stand there, no `Host`. */
export class MalformedRequest extends failure(
  "MalformedRequest",
  "invalid",
  "INVALID_INPUT",
  "The request is not valid HTTP/1.1.",
) {}

/** A request has not come as a whole in the time that it may take. */
export class RequestTimeout extends failure(
  "RequestTimeout",
  "invalid",
  "REQUEST_TIMEOUT",
  "The request took too long to arrive.",
) {}

/** `Expect` asks for something other than `100-continue`. */
export class ExpectationFailed extends failure(
  "ExpectationFailed",
  "invalid",
  "EXPECTATION_FAILED",
  "Only 100-continue can be expected.",
) {}

/** The headers of a request are larger than 16 KB. */
export class HeadersTooLarge extends failure(
  "HeadersTooLarge",
  "invalid",
  "HEADERS_TOO_LARGE",
  "The headers are larger than 16 KB.",
) {}
