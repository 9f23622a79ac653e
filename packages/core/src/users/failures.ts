import { failure } from "../failure.ts"

/** Not the name of a zone in the IANA database. */
export class InvalidTimezone extends failure(
  "InvalidTimezone",
  "invalid",
  "INVALID_TIMEZONE",
  "The time zone must be a name of the IANA database, like Europe/Berlin.",
) {}

/** The merged properties would be larger than 64 KB. `details` has `max_bytes` and `bytes`. */
export class PropertiesTooLarge extends failure(
  "PropertiesTooLarge",
  "invalid",
  "PROPERTIES_TOO_LARGE",
  "The properties of a user may have at most 64 KB.",
) {}
