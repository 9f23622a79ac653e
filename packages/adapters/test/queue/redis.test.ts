import { hasRedis, startRedis, type TestRedis } from "@hearth/test-services"
import { workflowRunnerContract } from "@hearth/testing"
import { afterAll, beforeAll, describe } from "vitest"
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
