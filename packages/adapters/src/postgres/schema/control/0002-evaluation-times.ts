import { schemaStep } from "../migration.ts"

export const evaluationTimes = schemaStep("0002-evaluation-times", [
  "alter table project_activity add column evaluate_at timestamptz(3)",
])
