import type { TenantDb } from "@hearth/core"
import type { OnboardingFlow, OnboardingProgressRow } from "@hearth/core/onboarding"
import { Effect } from "effect"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aFlow, aProgress } from "./builders.ts"

/** Writes a flow and answers its id. */
export const writeFlow = (db: Pick<TenantDb, "onboardingFlows">, given: Partial<OnboardingFlow> = {}) => {
  const flow = aFlow(given)
  return Effect.as(Effect.orDie(db.onboardingFlows.insert(flow)), flow.id)
}

/** The table of flows. */
export const onboardingFlows: TableCase<TenantDb, OnboardingFlow> = {
  name: "onboarding flows",
  table: (db) => db.onboardingFlows,
  row: (_, given) => Effect.sync(() => aFlow(given)),
  samples: [
    { name: awkwardText, steps: [awkwardJson, {}], is_active: false, created_at: awkwardInstant },
    { steps: Array.from({ length: 100 }, (_, step) => ({ step })) },
  ],
  unique: [],
  sorting: { column: "name", ascending: textsInOrder },
}

/** The table of what users have done of flows. */
export const onboardingProgress: TableCase<TenantDb, OnboardingProgressRow> = {
  name: "onboarding progress",
  table: (db) => db.onboardingProgress,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aProgress({
      ...given,
      app_user_id: given.app_user_id ?? (yield* writeUser(db)),
      flow_id: given.flow_id ?? (yield* writeFlow(db)),
    })
  }),
  samples: [
    {
      ...{ status: "completed", current_step: 2_147_483_647, steps: [awkwardJson], step_count: 2_147_483_647 },
      ...{ answers: awkwardJson, started_at: earlyInstant, completed_at: lateInstant, skipped_at: awkwardInstant },
    },
    { status: "skipped", completed_at: null, skipped_at: null, answers: {} },
  ],
  unique: [["app_user_id", "flow_id"]],
  sorting: { column: "started_at", ascending: instantsInOrder },
  nullable: { column: "completed_at", ascending: instantsInOrder },
}
