import { hasRedis, startPostgresProxy, startRedis, type TestRedis } from "@hearth/test-services"
import { Redis } from "ioredis"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { inspectRedis } from "../../src/queue/inspect-redis.ts"
import { redisLink } from "../../src/queue/redis-link.ts"

describe.skipIf(!hasRedis)("a link to Redis", () => {
  let redis: TestRedis
  beforeAll(async () => {
    const started = await startRedis()
    if (started === null) throw new Error("There is no Redis.")
    redis = started
  })
  afterAll(() => redis.stop())

  it("is made anew where its connection stays open and leads nowhere", async () => {
    // It passes on whatever is sent.
    const proxy = await startPostgresProxy(redis.url)
    const times = { answerMillis: 1_800, silentMillis: 1_500 }
    const link = await redisLink(proxy.through(redis.url), "stalled", () => {}, times)
    const answers = () =>
      link.ping().then(
        () => true,
        () => false,
      )
    expect(await answers()).toBe(true)
    const stalled = proxy.stallAt("stalled:probe")
    expect(await answers()).toBe(false)
    await stalled
    await expect.poll(answers, { timeout: 10_000 }).toBe(true)
    await link.close()
    await proxy.close()
  })

  it("is told apart from one whose database is not there: the client would use the first one instead", async () => {
    await expect(inspectRedis(`${redis.url}/99`)).rejects.toThrow("DB index is out of range")
    expect((await inspectRedis(`${redis.url}/1`)).refusal).toBe(null)
    const link = (database: string) => redisLink(`${redis.url}/${database}`, "other", () => {}, { answerMillis: 1_800 })
    await expect(link("99")).rejects.toThrow("Redis has no database 99: name another one in REDIS_URL")
    await (await link("1")).close()
  })

  it("does not answer where Redis takes no writes", async () => {
    const operator = new Redis(redis.url)
    const link = await redisLink(redis.url, "full", () => {}, { answerMillis: 10_000 })
    const isAway = () => expect(link.ping()).rejects.toThrow(/OOM|READONLY/)
    expect((await inspectRedis(redis.url)).refusal).toBe(null)
    await operator.config("SET", "maxmemory", "1")
    await isAway()
    expect((await inspectRedis(redis.url)).refusal).toMatch(/OOM/)
    await operator.config("SET", "maxmemory", "0")
    await link.ping()
    await operator.replicaof("127.0.0.1", 1)
    await isAway()
    expect((await inspectRedis(redis.url)).refusal).toMatch(/READONLY/)
    await operator.replicaof("NO", "ONE")
    await link.ping()
    await link.close()
    operator.disconnect()
  })
})
