import { failure } from "../../failure.ts"

/** The type is unknown, or the cron is missing, is not five fields or never fires, or the zone is unknown [I1.5]. */
export class InvalidScheduleConfig extends failure(
  "InvalidScheduleConfig",
  "invalid",
  "INVALID_SCHEDULE_CONFIG",
  "The type, cron or time zone of the schedule is not valid.",
) {}

/** The queue could not be reached, so there is no schedule. */
export class ScheduleNotCreated extends failure(
  "ScheduleNotCreated",
  "internal",
  "CREATE_FAILED",
  "The queue could not be reached, so the schedule was not made.",
) {}

/** The queue could not be reached, so the schedule is as before. */
export class ScheduleUpdateFailed extends failure(
  "ScheduleUpdateFailed",
  "upstream",
  "SCHEDULE_UPDATE_FAILED",
  "The queue could not be reached, so the schedule was not changed.",
) {}

/** The queue could not be reached, so the schedule, or the library with its schedules, is still there. */
export class ScheduleDeleteFailed extends failure(
  "ScheduleDeleteFailed",
  "upstream",
  "SCHEDULE_DELETE_FAILED",
  "The queue could not be reached, so nothing was removed.",
) {}

/** The library has no item that the schedule could deliver. */
export class NothingToDeliver extends failure(
  "NothingToDeliver",
  "conflict",
  "NOTHING_TO_DELIVER",
  "The library has no active item for this schedule.",
) {}
