import { failure } from "../failure.ts"

/** The rules are not a valid tree. `details.issues` is `[{ path, message }]`, at most 100 of them. */
export class InvalidRules extends failure(
  "InvalidRules",
  "invalid",
  "INVALID_RULES",
  "The rules of the segment are not valid.",
) {}

/** The segment was created by provisioning or for a campaign. Neither it nor its members can be changed by hand. */
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
