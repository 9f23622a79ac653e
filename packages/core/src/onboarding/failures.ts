import { failure } from "../failure.ts"

/** The user has not started the flow. */
export class NotStarted extends failure("NotStarted", "conflict", "NOT_STARTED", "The flow is not started.") {}

/** The user has completed or skipped the flow. */
export class AlreadyCompleted extends failure(
  "AlreadyCompleted",
  "conflict",
  "ALREADY_COMPLETED",
  "The flow is completed or skipped.",
) {}

/** The step is not the next one, or there are steps left. `details.current_step` is the index of the next step. */
export class StepOutOfOrder extends failure(
  "StepOutOfOrder",
  "conflict",
  "STEP_OUT_OF_ORDER",
  "This is not the next step.",
) {}
