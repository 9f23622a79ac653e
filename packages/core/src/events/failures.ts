import { failure } from "../failure.ts"

/** The body is no JSON object. */
export class InvalidJson extends failure("InvalidJson", "invalid", "INVALID_JSON", "The body must be a JSON object.") {}

/** A slot is no object, `properties` is none, or there are no events at all. `details.index` names the slot. */
export class InvalidEvent extends failure("InvalidEvent", "invalid", "INVALID_EVENT", "An event is not valid.") {}

/** `app_user_id` is missing, malformed, or nobody's. `details.index` names the slot. */
export class InvalidAppUserId extends failure(
  "InvalidAppUserId",
  "invalid",
  "INVALID_APP_USER_ID",
  "app_user_id must be the id of a user of this project.",
) {}

/** `event_name` is missing, empty, or longer than 255 characters. `details.index` names the slot. */
export class InvalidEventName extends failure(
  "InvalidEventName",
  "invalid",
  "INVALID_EVENT_NAME",
  "event_name must be text of 1 to 255 characters.",
) {}

/** `occurred_at` is no ISO-8601 instant, or more than 24 hours ahead. `details.index` names the slot. */
export class InvalidOccurredAt extends failure(
  "InvalidOccurredAt",
  "invalid",
  "INVALID_OCCURRED_AT",
  "occurred_at must be an ISO-8601 instant, at most 24 hours ahead.",
) {}

/** `event_id` is no text of 1 to 255 characters. `details.index` names the slot. */
export class InvalidEventId extends failure(
  "InvalidEventId",
  "invalid",
  "INVALID_EVENT_ID",
  "event_id must be text of 1 to 255 characters.",
) {}

/** More events than one call may carry. `details` has `limit` and `supplied`. */
export class BatchTooLarge extends failure(
  "BatchTooLarge",
  "too_large",
  "BATCH_TOO_LARGE",
  "There are too many events in one call.",
) {}
