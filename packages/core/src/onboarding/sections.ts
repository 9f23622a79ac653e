import { Struct } from "effect"
import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { OnboardingProgressRow } from "./progress.ts"

/** How far the user is in which flows, with all answers. */
export const onboardingProgressSection: TableSection = {
  name: "onboarding_progress",
  key: ["flow_id"],
  columns: describeColumns({ fields: Struct.omit(OnboardingProgressRow.fields, ["step_count"]) }),
}
