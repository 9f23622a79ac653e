import { afterAll, beforeAll, describe } from "vitest"
import { workflowRunnerContract } from "../../../testing/src/contracts/workflow-runner.contract.ts"
import { hasRedis, startRedis, type TestRedis } from "../services.ts"
import { queueHarness } from "./harness.ts"

describe.skipIf(!hasRedis)("with a Redis", () => {
  let redis: TestRedis | null = null
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())

  workflowRunnerContract(
    "BullMQ on Redis",
    queueHarness(() => ({ redisUrl: redis?.url ?? "" })),
  )
})
