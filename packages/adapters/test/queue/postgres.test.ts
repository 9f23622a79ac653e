import { databaseUrl } from "@hearth/test-services"
import { workflowRunnerContract } from "@hearth/testing/contracts"
import { queueHarness } from "./harness.ts"

const where = () => ({ databaseUrl: databaseUrl() })

workflowRunnerContract("BullMQ on PostgreSQL", queueHarness(where), queueHarness(where, 10))
