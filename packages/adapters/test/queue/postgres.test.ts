import { databaseUrl } from "@hearth/test-services"
import { workflowRunnerContract } from "@hearth/testing/contracts"
import { queueHarness } from "./harness.ts"

workflowRunnerContract(
  "BullMQ on PostgreSQL",
  queueHarness(() => ({ databaseUrl: databaseUrl() })),
)
