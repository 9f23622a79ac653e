import { failure } from "../failure.ts"

/** The body is not a JSON object. */
export class InvalidJson extends failure("InvalidJson", "invalid", "INVALID_JSON", "The body must be a JSON object.") {}

/** An event or its `properties` is not an object, or there are no events. `details.index` is the event's index. */
export class InvalidEvent extends failure("InvalidEvent", "invalid", "INVALID_EVENT", "An event is not valid.") {}

/** `app_user_id` is missing, malformed or unknown. `details.index` is the event's index. */
export class InvalidAppUserId extends failure(
  "InvalidAppUserId",
  "invalid",
  "INVALID_APP_USER_ID",
  "app_user_id must be the id of a user of this project.",
) {}

/**
 * `event_name` is missing, empty, longer than 255 characters, or one that apps may not write [G0.1]. `details.index` is the
 * event's index.
 */
export class InvalidEventName extends failure(
  "InvalidEventName",
  "invalid",
  "INVALID_EVENT_NAME",
  "event_name must be 1 to 255 characters, and apps may not write reserved names and server_events.",
) {}

/**
 * `occurred_at` is not an ISO-8601 instant, is more than 24 hours ahead, or, from an app, longer ago than the project's
 * `client_backdate_hours` [G0.2]. `details.index` is the event's index.
 */
export class InvalidOccurredAt extends failure(
  "InvalidOccurredAt",
  "invalid",
  "INVALID_OCCURRED_AT",
  "occurred_at must be an ISO-8601 instant, at most 24 hours ahead; from apps, at most client_backdate_hours ago.",
) {}

/** `event_id` is not text of 1 to 255 characters. `details.index` is the event's index. */
export class InvalidEventId extends failure(
  "InvalidEventId",
  "invalid",
  "INVALID_EVENT_ID",
  "event_id must be 1 to 255 characters.",
) {}

/** More events than one call may carry. `details` has `limit` and `supplied`. */
export class BatchTooLarge extends failure(
  "BatchTooLarge",
  "too_large",
  "BATCH_TOO_LARGE",
  "There are too many events in one call.",
) {}

/** `since` is not an ISO-8601 instant. */
export class InvalidSince extends failure(
  "InvalidSince",
  "invalid",
  "INVALID_SINCE",
  "since must be an ISO-8601 instant.",
) {}

/** `until` is not an ISO-8601 instant. */
export class InvalidUntil extends failure(
  "InvalidUntil",
  "invalid",
  "INVALID_UNTIL",
  "until must be an ISO-8601 instant.",
) {}

/** `user_id` is not a uuid, or `event_name` is empty. */
export class InvalidFilter extends failure(
  "InvalidFilter",
  "invalid",
  "INVALID_FILTER",
  "user_id must be a uuid, and event_name must not be empty.",
) {}

/** `cursor` is not the `next_cursor` of a page of events. */
export class InvalidCursor extends failure(
  "InvalidCursor",
  "invalid",
  "INVALID_CURSOR",
  "cursor must be the next_cursor of an earlier page.",
) {}

/** `since` is missing. */
export class MissingSince extends failure("MissingSince", "invalid", "MISSING_SINCE", "since is required.") {}

/** `until` is before `since`. */
export class InvalidRange extends failure(
  "InvalidRange",
  "invalid",
  "INVALID_RANGE",
  "until must not be before since.",
) {}

/** The range is longer than 90 days. `details` has `max_days` and `requested_days`. */
export class RangeTooLarge extends failure(
  "RangeTooLarge",
  "invalid",
  "RANGE_TOO_LARGE",
  "At most 90 days can be counted in one call.",
) {}
