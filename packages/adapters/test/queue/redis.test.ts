import { hasSharedRedis, openSharedRedis } from "@hearth/test-services"
import { workflowRunnerContract } from "@hearth/testing/contracts"
import { afterAll, beforeAll, describe } from "vitest"
import { queueHarness } from "./harness.ts"

describe.skipIf(!hasSharedRedis)("with a Redis", () => {
  let redis: Awaited<ReturnType<typeof openSharedRedis>>
  beforeAll(async () => {
    redis = await openSharedRedis()
  })
  afterAll(() => redis.close())

  const where = () => ({ redisUrl: redis.url })
  workflowRunnerContract("BullMQ on Redis", queueHarness(where), queueHarness(where, 10))
})
