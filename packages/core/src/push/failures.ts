import { failure, fieldFailure } from "../failure.ts"

/** The id of a campaign is no uuid. */
export class InvalidCampaignId extends failure(
  "InvalidCampaignId",
  "invalid",
  "INVALID_CAMPAIGN_ID",
  "The id of the campaign must be a uuid.",
) {}

/** The delivery mode is none. */
export class InvalidDeliveryMode extends fieldFailure(
  "InvalidDeliveryMode",
  "INVALID_DELIVERY_MODE",
  "delivery_mode",
  "must be absolute or local_time",
) {}

/** The time of a campaign is none. */
export class InvalidScheduledAt extends fieldFailure(
  "InvalidScheduledAt",
  "INVALID_SCHEDULED_AT",
  "scheduled_at",
  "must be an ISO-8601 instant with a zone",
) {}

/** The time of a campaign is over; in local time it is over in every zone [H4.6]. */
export class ScheduledAtInPast extends failure(
  "ScheduledAtInPast",
  "invalid",
  "SCHEDULED_AT_IN_PAST",
  "The campaign must be scheduled for a time that is still to come.",
) {}

/** The day of a campaign in local time is missing, or none. */
export class InvalidLocalDate extends fieldFailure(
  "InvalidLocalDate",
  "INVALID_LOCAL_DATE",
  "local_date",
  "must be a day, as YYYY-MM-DD",
) {}

/** The time of day of a campaign in local time is missing, or none. */
export class InvalidLocalTime extends fieldFailure(
  "InvalidLocalTime",
  "INVALID_LOCAL_TIME",
  "local_time",
  "must be a time of day, as HH:MM or HH:MM:SS",
) {}

/** The times given do not go together with the delivery mode. */
export class ConflictingSchedule extends failure(
  "ConflictingSchedule",
  "invalid",
  "CONFLICTING_SCHEDULE",
  "scheduled_at is for absolute campaigns only, local_date and local_time for those in local time.",
) {}

/** There is no segment of this id whose members a campaign could be for. */
export class InvalidSegmentId extends fieldFailure(
  "InvalidSegmentId",
  "INVALID_SEGMENT_ID",
  "segment_id",
  "must be the id of a segment of this project",
) {}

/** The data of a push is no object. */
export class InvalidData extends fieldFailure("InvalidData", "INVALID_DATA", "data", "must be an object") {}

/** The changes have none of the fields of a campaign that can be changed. */
export class EmptyUpdate extends failure(
  "EmptyUpdate",
  "invalid",
  "EMPTY_UPDATE",
  "The body must have at least one of name, title, body, data, options, segment_id and scheduled_at.",
) {}

/** The campaign is being sent, or has ended. */
export class AlreadySent extends failure(
  "AlreadySent",
  "conflict",
  "ALREADY_SENT",
  "The campaign is being sent, or has ended.",
) {}

/** The campaign waits for its time. */
export class AlreadyScheduled extends failure(
  "AlreadyScheduled",
  "conflict",
  "ALREADY_SCHEDULED",
  "The campaign is scheduled.",
) {}

/** The queue cannot be reached, so the campaign has no new time: it is `failed`. */
export class RescheduleFailed extends failure(
  "RescheduleFailed",
  "upstream",
  "RESCHEDULE_FAILED",
  "The campaign could not be given its new time, and has failed.",
) {}

/** The queue cannot be reached, so the campaign is not sent: it is `failed`. */
export class SendFailed extends failure(
  "SendFailed",
  "internal",
  "SEND_FAILED",
  "The sending of the campaign could not be started, and it has failed.",
) {}

/** The queue cannot be reached, so nothing was scheduled. */
export class ScheduleFailed extends failure(
  "ScheduleFailed",
  "internal",
  "SCHEDULE_FAILED",
  "The push could not be scheduled.",
) {}

/** There is no title. */
export class MissingTitle extends fieldFailure("MissingTitle", "MISSING_TITLE", "title", "is required") {}

/** There is no body. */
export class MissingBody extends fieldFailure("MissingBody", "MISSING_BODY", "body", "is required") {}

/** The time of a push is missing, or none. */
export class InvalidFireAt extends fieldFailure(
  "InvalidFireAt",
  "INVALID_FIRE_AT",
  "fire_at",
  "must be an ISO-8601 instant with a zone",
) {}

/** The time of a push is over. */
export class FireAtInPast extends failure(
  "FireAtInPast",
  "invalid",
  "FIRE_AT_IN_PAST",
  "fire_at must be a time that is still to come.",
) {}

/** A test names neither a user nor a device. */
export class MissingTarget extends failure(
  "MissingTarget",
  "invalid",
  "MISSING_TARGET",
  "There must be an app_user_id, or a device_token with its provider.",
) {}

/** A test names a device without its provider. */
export class MissingProvider extends failure(
  "MissingProvider",
  "invalid",
  "MISSING_PROVIDER",
  "A device_token must come with its provider, push_a or push_b.",
) {}

/** A test names a device with an empty token. */
export class NoToken extends fieldFailure("NoToken", "NO_TOKEN", "device_token", "must not be empty") {}

/** The user of a test has no active device. */
export class NoActiveToken extends failure(
  "NoActiveToken",
  "not_found",
  "NO_ACTIVE_TOKEN",
  "The user has no active device.",
) {}

/** A push could not be sent: the project has no credentials for the provider, or nobody knows what became of it. */
export class PushNotSent extends failure(
  "PushNotSent",
  "upstream",
  "SEND_FAILED",
  "The push could not be sent: the provider has no active credentials in this project, or did not answer.",
) {}

/** The provider has refused a push. `details` has `delivery_id`, `provider`, `provider_message_id` and `invalid_token`. */
export class PushRefused extends failure(
  "PushRefused",
  "upstream",
  "PUSH_FAILED",
  "The push was refused by its provider.",
) {}
