import { failure } from "../failure.ts"

/** The rules are no tree as they must be. `details.issues` is `[{ path, message }]`, all of them up to 100. */
export class InvalidRules extends failure(
  "InvalidRules",
  "invalid",
  "INVALID_RULES",
  "The rules of the segment are not valid.",
) {}

/** The segment was made by provisioning or for a campaign: neither it nor its members are changed by hand. */
export class SystemSegment extends failure(
  "SystemSegment",
  "forbidden",
  "SYSTEM_SEGMENT",
  "A system segment cannot be changed.",
) {}

/** The queue cannot be reached, so no evaluation was started. */
export class EvaluateFailed extends failure(
  "EvaluateFailed",
  "internal",
  "EVALUATE_FAILED",
  "The evaluation could not be started.",
) {}
