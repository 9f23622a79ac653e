import type {
  FlowCount,
  OnboardingDb,
  OnboardingFlow as OnboardingFlowRow,
  OnboardingFlows,
  OnboardingProgresses,
  OnboardingProgressRow,
} from "@hearth/core/onboarding"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, jsonBytes, type Measured, readCut } from "../sql/cut-page.ts"
import { makeTable } from "../sql/table.ts"
import { OnboardingFlow, OnboardingProgress, onboarding } from "./entities.ts"

const shown = `
  from onboarding_flows f left join onboarding_progress p on p.flow_id = f.id and p.app_user_id = $1
  where f.is_active or p.id is not null`

const makeFlows = (statements: Statements, shape: TableShape): OnboardingFlows => ({
  ...makeTable<OnboardingFlowRow>(statements, shape),
  pageShownTo: Effect.fnUntraced(function* (userId, { limit, offset }) {
    const page = `
      select ${shape.columns.map((column) => `f.${column}`).join(", ")}, p.steps as own_steps, p.answers ${shown}
      order by f.created_at, f.id limit $2 offset $3`
    const cut = cutPage(page, "created_at, id", ["steps", "own_steps", "answers"].map(jsonBytes).join(" + "))
    const rows = yield* statements.rows<OnboardingFlowRow & Measured>(
      `select ${shape.columns.join(", ")}, page_rows, bytes_before from (${cut}) as cut order by created_at, id`,
      [userId, limit, offset],
    )
    const [counted] = yield* statements.rows<{ readonly total: number }>(`select count(*)::int as total ${shown}`, [
      userId,
    ])
    return { ...readCut<OnboardingFlowRow>(rows), total: counted?.total ?? 0 }
  }),
})

const counts = `
  select flow_id, status, least(current_step, step_count - 1) as furthest, count(*)::int as users
  from onboarding_progress group by 1, 2, 3`

const makeProgress = (statements: Statements, shape: TableShape): OnboardingProgresses => {
  const { columns, json, name } = shape
  const insertNew = `
    insert into ${name} (${columns.join(", ")}) values (${columns.map((_, at) => `$${at + 1}`).join(", ")})
    on conflict (app_user_id, flow_id) do nothing returning id`
  const lock = `
    select ${columns.join(", ")} from ${name} where app_user_id = $1 and flow_id = $2 for no key update`
  return {
    ...makeTable<OnboardingProgressRow>(statements, shape),
    insertNew: (row) =>
      Effect.map(
        statements.rows(
          insertNew,
          columns.map((column) => {
            const value = row[column as keyof OnboardingProgressRow]
            return json.has(column) ? JSON.stringify(value) : value
          }),
        ),
        (written) => written.length > 0,
      ),
    lockOf: (userId, flowId) =>
      Effect.map(statements.rows<OnboardingProgressRow>(lock, [userId, flowId]), ([row]) => Option.fromNullishOr(row)),
    listOf: (userId, flowIds) =>
      statements.rows<OnboardingProgressRow>(
        `select ${columns.join(", ")} from ${name} where app_user_id = $1 and flow_id = any($2::uuid[])`,
        [userId, flowIds],
      ),
    counts: () => statements.rows<FlowCount>(counts),
  }
}

/** Onboarding in PostgreSQL: tables and repositories. */
export const onboardingFeature: TenantFeature<OnboardingDb> = {
  tenant: {
    entities: [OnboardingFlow, OnboardingProgress],
    steps: [onboarding],
    repositories: {
      onboardingFlows: (statements, shapes) => makeFlows(statements, shapes(OnboardingFlow)),
      onboardingProgress: (statements, shapes) => makeProgress(statements, shapes(OnboardingProgress)),
    },
  },
}
