import { Result } from "effect"
import type { JsonObject } from "../schema.ts"
import { AlreadyCompleted, StepOutOfOrder } from "./failures.ts"
import type { OnboardingFlow } from "./flow.ts"
import { isSameJson } from "./json.ts"
import type { FlowCount } from "./port.ts"
import type { OnboardingProgressRow, OnboardingStats } from "./progress.ts"

type Progress = Pick<OnboardingProgressRow, "status" | "current_step" | "step_count" | "answers">

/** The columns of a progress that a call changes; null where it changes nothing. */
export type ProgressChanges = Partial<OnboardingProgressRow> | null

/** Does the step `step` with its answers. The last one done may be repeated with equal answers [G8.3]. */
export const advance = (
  { status, current_step, step_count, answers }: Progress,
  step: number,
  given: JsonObject,
): Result.Result<ProgressChanges, AlreadyCompleted | StepOutOfOrder> => {
  if (status !== "in_progress") return Result.fail(new AlreadyCompleted())
  if (step === current_step && step < step_count)
    return Result.succeed({ current_step: step + 1, answers: { ...answers, [step]: given } })
  if (step >= 0 && step === current_step - 1 && isSameJson(answers[step], given)) return Result.succeed(null)
  return Result.fail(new StepOutOfOrder({ current_step }))
}

/** Ends a flow of which every step was done [G8.3]. */
export const complete = (
  { status, current_step, step_count }: Progress,
  now: Date,
): Result.Result<ProgressChanges, AlreadyCompleted | StepOutOfOrder> => {
  if (status === "completed") return Result.succeed(null)
  if (status === "skipped") return Result.fail(new AlreadyCompleted())
  if (current_step < step_count) return Result.fail(new StepOutOfOrder({ current_step }))
  return Result.succeed({ status: "completed", completed_at: now })
}

/** Ends a flow at whatever step [G8.3]. */
export const skip = ({ status }: Progress, now: Date): Result.Result<ProgressChanges, AlreadyCompleted> => {
  if (status === "skipped") return Result.succeed(null)
  if (status === "completed") return Result.fail(new AlreadyCompleted())
  return Result.succeed({ status: "skipped", skipped_at: now })
}

const sumUp = (counts: ReadonlyArray<FlowCount>) => counts.reduce((sum, { users }) => sum + users, 0)

/** The statistics of a flow out of the counts of its users [G8.4]. */
export const summarize = (
  { id, name, steps }: Pick<OnboardingFlow, "id" | "name" | "steps">,
  counts: ReadonlyArray<FlowCount>,
): OnboardingStats => {
  const own = counts.filter(({ flow_id }) => flow_id === id)
  const total_started = sumUp(own)
  const total_completed = sumUp(own.filter(({ status }) => status === "completed"))
  return {
    flow_id: id,
    flow_name: name,
    total_started,
    total_completed,
    total_skipped: sumUp(own.filter(({ status }) => status === "skipped")),
    completion_rate: total_started === 0 ? 0 : Math.round((total_completed / total_started) * 10_000) / 10_000,
    steps: steps.map((_, step) => ({ step, reached: sumUp(own.filter(({ furthest }) => furthest >= step)) })),
  }
}
