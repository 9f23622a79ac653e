import type { Effect, Option } from "effect"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { OnboardingFlow } from "./flow.ts"
import type { OnboardingProgressRow } from "./progress.ts"

/** How many users of a flow have a status and have come to a step, the last one where they have done it. */
export interface FlowCount {
  readonly flow_id: string
  readonly status: OnboardingProgressRow["status"]
  readonly furthest: number
  readonly users: number
}

/** The flows of a project. What users have done of one goes with it. */
export interface OnboardingFlows extends Table<OnboardingFlow> {
  /**
   * The active ones and those that the user has started, the oldest first. Large ones, together with what the user has done of them,
   * cut the page short (ADR 0021).
   */
  pageShownTo(userId: string, slice: Slice): Effect.Effect<Page<OnboardingFlow>>
}

/** How far users are in flows. Unique: (`app_user_id`, `flow_id`). Removed with their user or flow. */
export interface OnboardingProgresses extends Table<OnboardingProgressRow> {
  /**
   * Writes a row, unless its user has one of its flow. Answers whether it was written. The user and the flow are locked before;
   * one that another transaction is writing is waited for.
   */
  insertNew(row: OnboardingProgressRow): Effect.Effect<boolean>
  /** The row of a user and a flow, locked until the transaction ends. */
  lockOf(userId: string, flowId: string): Effect.Effect<Option.Option<OnboardingProgressRow>>
  /** Those of a user that are of these flows. */
  listOf(userId: string, flowIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<OnboardingProgressRow>>
  /** The users of all flows, counted. */
  counts(): Effect.Effect<ReadonlyArray<FlowCount>>
}

/** What a project's database has for onboarding. */
export interface OnboardingDb {
  readonly onboardingFlows: OnboardingFlows
  readonly onboardingProgress: OnboardingProgresses
}
