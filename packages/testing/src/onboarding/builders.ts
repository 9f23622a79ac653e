import type { OnboardingFlow, OnboardingProgressRow } from "@hearth/core/onboarding"
import { builtAt, type Given, makeId, nextNumber } from "../builders.ts"

/** An active flow of two steps. */
export const aFlow = (given: Partial<OnboardingFlow> = {}): OnboardingFlow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    name: `Flow ${n}`,
    steps: [{ title: "Hello" }, { title: "Goals" }],
    is_active: true,
    created_at: new Date(builtAt),
    ...given,
  }
}

/** The start of a flow of two steps. */
export const aProgress = (given: Given<OnboardingProgressRow, "app_user_id" | "flow_id">): OnboardingProgressRow => ({
  id: makeId(nextNumber()),
  status: "in_progress",
  current_step: 0,
  steps: [{ title: "Hello" }, { title: "Goals" }],
  step_count: 2,
  answers: {},
  started_at: new Date(builtAt),
  completed_at: null,
  skipped_at: null,
  ...given,
})
