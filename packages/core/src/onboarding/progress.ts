import { Schema, Struct } from "effect"
import { Count, JsonObject, Timestamp, Uuid, withDefault } from "../schema.ts"
import { OnboardingFlow } from "./flow.ts"
import { jsonBytes, maxAnswersBytes } from "./json.ts"

/** How far a user is in a flow, as stored. Unique: (`app_user_id`, `flow_id`). */
export const OnboardingProgressRow = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  flow_id: Uuid,
  status: Schema.Literals(["in_progress", "completed", "skipped"]),
  /** The index of the next step; the number of steps when none is left. */
  current_step: Count,
  /** The steps of the flow when the user started it [G8.1]. */
  steps: Schema.Array(JsonObject),
  /** How many steps these are, for statistics, which do not read them. */
  step_count: Count,
  /** By the index of their step. */
  answers: JsonObject,
  started_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  skipped_at: Schema.NullOr(Timestamp),
})
export type OnboardingProgressRow = typeof OnboardingProgressRow.Type

/** How far a user is in a flow [G8.2]. */
export const OnboardingProgress = Schema.Struct(
  Struct.pick(OnboardingProgressRow.fields, [
    "flow_id",
    "status",
    "current_step",
    "steps",
    "answers",
    "started_at",
    "completed_at",
    "skipped_at",
  ]),
).annotate({ identifier: "OnboardingProgress" })
export type OnboardingProgress = typeof OnboardingProgress.Type

/** A flow as its user sees it [G8.2]. */
export const OwnOnboardingFlow = Schema.Struct({
  ...Struct.pick(OnboardingFlow.fields, ["id", "name", "steps"]),
  /** Null before the start. */
  progress: Schema.NullOr(OnboardingProgress),
}).annotate({ identifier: "OwnOnboardingFlow" })

/** What an app says of a step that its user has done. Answers that are left out are `{}`. */
export const AdvanceRequest = Schema.Struct({
  step: Count,
  answers: withDefault(
    JsonObject.check(
      Schema.makeFilter((answers: JsonObject) => jsonBytes(answers) <= maxAnswersBytes || "must be at most 16 KB"),
    ),
    {},
  ),
}).annotate({ identifier: "AdvanceRequest" })
export type AdvanceRequest = typeof AdvanceRequest.Type

/** How many users are how far in a flow [G8.4]. */
export const OnboardingStats = Schema.Struct({
  flow_id: Uuid,
  flow_name: Schema.String,
  total_started: Count,
  total_completed: Count,
  total_skipped: Count,
  /** Completed by started, rounded to 4 decimals; 0 where nobody has started. */
  completion_rate: Schema.Finite,
  /** How many users have come to each step of the flow, those who have passed it included. */
  steps: Schema.Array(Schema.Struct({ step: Count, reached: Count })),
}).annotate({ identifier: "OnboardingStats" })
export type OnboardingStats = typeof OnboardingStats.Type
