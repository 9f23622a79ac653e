import { Schema } from "effect"
import { JsonObject, Name, partial, Timestamp, Uuid, withDefaults } from "../schema.ts"
import { jsonBytes, maxStepsBytes } from "./json.ts"

const Steps = Schema.Array(JsonObject).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(100),
  Schema.makeFilter(
    (steps: ReadonlyArray<unknown>) => jsonBytes(steps) <= maxStepsBytes || "must be at most 64 KB together",
  ),
)

const fields = {
  name: Name,
  /** What the app shows, in order. The service keeps the objects as they are. */
  steps: Steps,
  /** Whether users may start it. */
  is_active: Schema.Boolean,
}

/** A flow that users of an app are led through (spec: onboarding flow). */
export const OnboardingFlow = Schema.Struct({ id: Uuid, ...fields, created_at: Timestamp }).annotate({
  identifier: "OnboardingFlow",
})
export type OnboardingFlow = typeof OnboardingFlow.Type

/** What a flow is made with. */
export const NewOnboardingFlow = Schema.Struct(withDefaults(fields, { is_active: true })).annotate({
  identifier: "NewOnboardingFlow",
})
export type NewOnboardingFlow = typeof NewOnboardingFlow.Type

/** The fields of a flow that can be changed. Those left out stay. */
export const OnboardingFlowChanges = Schema.Struct(partial(fields)).annotate({ identifier: "OnboardingFlowChanges" })
export type OnboardingFlowChanges = typeof OnboardingFlowChanges.Type
