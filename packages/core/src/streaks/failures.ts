import { failure } from "../failure.ts"

/** The project has no definition with this id. */
export class StreakDefinitionNotFound extends failure(
  "StreakDefinitionNotFound",
  "not_found",
  "STREAK_DEFINITION_NOT_FOUND",
  "There is no such streak definition.",
) {}

/** The user has not begun this streak. */
export class UserStreakNotFound extends failure(
  "UserStreakNotFound",
  "not_found",
  "USER_STREAK_NOT_FOUND",
  "The user has no such streak.",
) {}

/** `count` is not an integer of at least 1. `details.issues` is `[{ path, message }]` [A5]. */
export class InvalidCount extends failure(
  "InvalidCount",
  "invalid",
  "INVALID_COUNT",
  "count must be an integer of at least 1.",
) {}

/** An id in the path is not a uuid. */
export class InvalidId extends failure("InvalidId", "invalid", "INVALID_ID", "The id must be a uuid.") {}
