import { failure, fieldFailure } from "../failure.ts"

/** The time zone is not in the IANA database. */
export class InvalidTimezone extends fieldFailure(
  "InvalidTimezone",
  "INVALID_TIMEZONE",
  "timezone",
  "must be a name of the IANA database, like Europe/Berlin",
) {}

/** The merged properties would be larger than 64 KB. `details` has `max_bytes` and `bytes`. */
export class PropertiesTooLarge extends failure(
  "PropertiesTooLarge",
  "invalid",
  "PROPERTIES_TOO_LARGE",
  "The properties of a user may have at most 64 KB.",
) {}

/** The body is not a JSON object, or a part of it has the wrong type. `details.issues` is `[{ path, message }]`. */
export class InvalidBody extends failure("InvalidBody", "invalid", "INVALID_BODY", "The body is not valid.") {}

/** `user_ids` is missing or empty. */
export class MissingUserIds extends fieldFailure(
  "MissingUserIds",
  "MISSING_USER_IDS",
  "user_ids",
  "must have at least one user",
) {}

/** `user_ids` is not an array of strings. */
export class InvalidUserIds extends fieldFailure(
  "InvalidUserIds",
  "INVALID_USER_IDS",
  "user_ids",
  "must be an array of strings",
) {}

/** Too many users in one call. `details` has `limit` and `supplied`. A 400, unlike for events (spec: errors, note 1). */
export class TooManyUsers extends failure(
  "TooManyUsers",
  "invalid",
  "BATCH_TOO_LARGE",
  "There are too many users in one call.",
) {}

/** `updates` contains no change. */
export class EmptyUpdates extends failure(
  "EmptyUpdates",
  "invalid",
  "EMPTY_UPDATES",
  "updates must have properties, add_segment_ids or remove_segment_ids with something in it.",
) {}

/** An id of a user or segment is not a uuid. `details.issues` is `[{ path, message }]`. */
export class InvalidUuid extends failure("InvalidUuid", "invalid", "INVALID_UUID", "An id is not a uuid.") {}

/** The user of the path does not exist: of the routes about something of a user [G]. */
export class UserNotFound extends failure("UserNotFound", "not_found", "USER_NOT_FOUND", "There is no such user.") {}

/** Another user of the project has this `external_id` [H2.2]. */
export class ExternalIdExists extends failure(
  "ExternalIdExists",
  "conflict",
  "EXTERNAL_ID_EXISTS",
  "Another user has this external_id.",
) {}
