import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

export const OnboardingFlow = defineEntity({
  name: "OnboardingFlow",
  tableName: "onboarding_flows",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    steps: p.json(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
  },
})

/** How far users are in flows. */
export const OnboardingProgress = defineEntity({
  name: "OnboardingProgress",
  tableName: "onboarding_progress",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action"),
    flow_id: () => p.manyToOne(OnboardingFlow).mapToPk().deleteRule("cascade").updateRule("no action").index(),
    status: p.enum(["in_progress", "completed", "skipped"] as const),
    current_step: p.integer().check("current_step >= 0"),
    steps: p.json(),
    step_count: p.integer().check("step_count >= 0"),
    answers: p.json(),
    started_at: p.datetime(3),
    completed_at: p.datetime(3).nullable(),
    skipped_at: p.datetime(3).nullable(),
  },
  uniques: [{ properties: ["app_user_id", "flow_id"] }],
})

/** The tables of onboarding. */
export const onboarding = schemaStep("0010-onboarding", [
  `create table onboarding_flows (
    id uuid primary key,
    name text not null,
    steps jsonb not null,
    is_active boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create table onboarding_progress (
    id uuid primary key,
    app_user_id uuid not null
      constraint onboarding_progress_app_user_id_foreign references app_users on delete cascade,
    flow_id uuid not null constraint onboarding_progress_flow_id_foreign references onboarding_flows on delete cascade,
    status text not null
      constraint onboarding_progress_status_check check (status in ('in_progress', 'completed', 'skipped')),
    current_step int not null constraint onboarding_progress_current_step_check check (current_step >= 0),
    steps jsonb not null,
    step_count int not null constraint onboarding_progress_step_count_check check (step_count >= 0),
    answers jsonb not null,
    started_at timestamptz(3) not null,
    completed_at timestamptz(3),
    skipped_at timestamptz(3),
    constraint onboarding_progress_app_user_id_flow_id_unique unique (app_user_id, flow_id)
  )`,
  "create index onboarding_progress_flow_id_index on onboarding_progress (flow_id)",
])
