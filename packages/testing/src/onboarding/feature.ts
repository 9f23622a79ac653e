import {
  type OnboardingDb,
  OnboardingFlow,
  type OnboardingFlows,
  type OnboardingProgresses,
  OnboardingProgressRow,
} from "@hearth/core/onboarding"
import { Effect, Option } from "effect"
import type { TenantFeature } from "../feature.ts"
import { keepList, slice, uuid } from "../memory/arguments.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, keepRow, lockRows, ownerOfKey, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"

const flowShape = describeTable("onboarding flows", OnboardingFlow)
const progressShape = describeTable("onboarding progress", OnboardingProgressRow, {
  unique: [["app_user_id", "flow_id"]],
  parents: { app_user_id: "users", flow_id: flowShape.name },
})

const memoryFlows = (statements: Statements): OnboardingFlows => ({
  ...memoryTable(statements, flowShape),
  pageShownTo: (app_user_id, slice) =>
    statements.query((draft) => {
      const started = new Set(select(draft, progressShape, { app_user_id }).map(({ flow_id }) => flow_id))
      const shown = select(draft, flowShape, {}).filter(({ id, is_active }) => is_active || started.has(id))
      return pageOf(sorted(flowShape, shown, [["created_at", "asc"]]), slice)
    }),
})

const countUsers = (draft: Draft) => {
  const rows = [...rowsOf(draft, progressShape).values()].map(({ flow_id, status, current_step, step_count }) => ({
    ...{ flow_id, status, furthest: Math.min(current_step, step_count - 1) },
  }))
  const groups = Map.groupBy(rows, (row) => JSON.stringify(row))
  return [...groups.values()].flatMap((members) =>
    members.slice(0, 1).map((row) => ({ ...row, users: members.length })),
  )
}

const memoryProgress = (statements: Statements): OnboardingProgresses => ({
  ...memoryTable(statements, progressShape),
  insertNew: (given) =>
    statements.change((draft) => {
      const row = keepRow(progressShape, given)
      if (ownerOfKey(draft, progressShape, ["app_user_id", "flow_id"], row) !== undefined) return false
      insertRow(draft, progressShape, row)
      return true
    }),
  lockOf: (app_user_id, flow_id) =>
    Effect.map(
      statements.query(
        (draft) => lockRows(draft, progressShape, select(draft, progressShape, { app_user_id, flow_id }))[0],
      ),
      Option.fromUndefinedOr,
    ),
  listOf: (app_user_id, flowIds) =>
    statements.query((draft) => {
      const wanted = new Set(flowIds)
      return select(draft, progressShape, { app_user_id }).filter(({ flow_id }) => wanted.has(flow_id))
    }),
  counts: () => statements.query(countUsers),
})

/** Onboarding in tests: tables and repositories in memory. */
export const onboardingFeature: TenantFeature<OnboardingDb> = {
  tenant: {
    shapes: [flowShape, progressShape],
    sections: { onboarding_progress: progressShape },
    rules: {
      onboardingFlows: { pageShownTo: [uuid, slice] },
      onboardingProgress: { lockOf: [uuid, uuid], listOf: [uuid, keepList(uuid)] },
    },
    make: ({ statements }) => ({
      onboardingFlows: memoryFlows(statements),
      onboardingProgress: memoryProgress(statements),
    }),
  },
}
