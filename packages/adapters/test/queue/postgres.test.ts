import { workflowRunnerContract } from "../../../testing/src/contracts/workflow-runner.contract.ts"
import { databaseUrl } from "../services.ts"
import { queueHarness } from "./harness.ts"

workflowRunnerContract(
  "BullMQ on PostgreSQL",
  queueHarness(() => ({ databaseUrl: databaseUrl() })),
)
