import { setTimeout } from "node:timers/promises"
import { hasRedis, startRedis, type TestRedis } from "@hearth/test-services"
import { rateLimiterContract } from "@hearth/testing/contracts"
import { Redis } from "ioredis"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { redisRateLimiter } from "../../src/limits/index.ts"
import { countTogether, expectAttemptsTogether, expectLimited, FOUND, LOST, waitUntilTogether } from "./fallback.ts"

describe.skipIf(!hasRedis)("on Redis", () => {
  let redis: TestRedis
  const clients: Array<Redis> = []
  const connect = (to: TestRedis) => {
    const client = new Redis(to.url, { retryStrategy: () => 50 })
    client.on("error", () => {})
    clients.push(client)
    return client
  }
  const ready = async (to: TestRedis, messages: Array<string> = []) => {
    const client = connect(to)
    await client.ping()
    return redisRateLimiter(client, (message) => messages.push(message))
  }
  beforeAll(async () => {
    redis = (await startRedis()) as TestRedis
  })
  afterAll(async () => {
    for (const client of clients) client.disconnect()
    await redis.stop()
  })

  rateLimiterContract("Redis", async () => ({
    limiter: await ready(redis),
    pass: (seconds) => setTimeout(seconds * 1000),
  }))

  it("counts for all processes together, and stores no plain key", async () => {
    expect(await countTogether(await ready(redis), await ready(redis))).toBe(true)
    const client = connect(redis)
    const keys = await client.keys("*")
    for (const key of keys) {
      expect(key).toMatch(/^hearth:limits:\d+\/\d+:[\w-]{43}$/)
      expect(await client.pttl(key)).toBeGreaterThan(0)
    }
    expect(keys.length).toBeGreaterThan(0)
  })

  it("holds attempts of all processes together", async () => {
    await expectAttemptsTogether(await ready(redis), await ready(redis))
  })

  describe("that fails", () => {
    let failing: TestRedis
    beforeEach(async () => {
      failing = (await startRedis()) as TestRedis
    })
    afterEach(() => failing.stop())

    it("limits locally while it is dead, and returns to it", async () => {
      const messages: Array<string> = []
      const [one, other] = [await ready(failing, messages), await ready(failing)]
      await expectLimited(one)
      expect(messages).toEqual([])
      await failing.stop()
      await expectLimited(one)
      expect(await countTogether(one, other)).toBe(false)
      expect(messages).toEqual([LOST])
      await failing.start()
      await waitUntilTogether(one, other)
      expect(messages).toEqual([LOST, FOUND])
    })

    it("limits locally while it is frozen, and returns to it", async () => {
      const [one, other] = [await ready(failing), await ready(failing)]
      await expectLimited(one)
      await failing.freeze()
      await expectLimited(one)
      expect(await countTogether(one, other)).toBe(false)
      await failing.thaw()
      await waitUntilTogether(one, other)
    })

    it("limits locally at once when it never ran", async () => {
      await failing.stop()
      await expectLimited(redisRateLimiter(connect(failing)), 400)
    })
  })
})
