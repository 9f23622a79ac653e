import { resolve } from "node:path"
import { Result } from "effect"
import { expect, it } from "vitest"
import { readWorkerConfig } from "../src/config.ts"

const DATABASE_URL = "postgres://hearth@db.example/hearth"
const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64")

const retention = {
  feed_items: 180,
  push_deliveries: 90,
  moderation_items: 365,
  ended_invites: 30,
  content_deliveries: 365,
}
const pushUrls = { PUSH_A_URL: "http://127.0.0.1:2197/proxy/", PUSH_B_URL: "https://fcm.example/" }

it("needs a database, and has defaults for the rest", () => {
  expect(Result.getOrThrow(readWorkerConfig({ DATABASE_URL, SECRETS_KEY }))).toEqual({
    databaseUrl: DATABASE_URL,
    redisUrl: null,
    log: { level: "info", format: null },
    host: "127.0.0.1",
    port: null,
    secretKeys: SECRETS_KEY,
    forgetsLostSecrets: false,
    retention,
    dataDir: resolve("data"),
    storageUrl: null,
    push: { push_a: null, push_b: null },
  })
})

it("takes every setting, and an empty variable as left out", () => {
  const REDIS_URL = "rediss://redis.example:6380"
  const read = readWorkerConfig({
    DATABASE_URL,
    SECRETS_KEY,
    REDIS_URL,
    LOG_LEVEL: "debug",
    LOG_FORMAT: "json",
    HOST: "0.0.0.0",
    WORKER_PORT: "9091",
    ...pushUrls,
  })
  expect(Result.getOrThrow(read)).toEqual({
    databaseUrl: DATABASE_URL,
    redisUrl: REDIS_URL,
    log: { level: "debug", format: "json" },
    host: "0.0.0.0",
    port: 9091,
    secretKeys: SECRETS_KEY,
    forgetsLostSecrets: false,
    retention,
    dataDir: resolve("data"),
    storageUrl: null,
    push: { push_a: "http://127.0.0.1:2197/proxy", push_b: "https://fcm.example" },
  })
  expect(Result.getOrThrow(readWorkerConfig({ DATABASE_URL, SECRETS_KEY, REDIS_URL: "" })).redisUrl).toBeNull()
})

it("reports all problems at once", () => {
  const read = readWorkerConfig({
    DATABASE_URL: "mysql://x",
    REDIS_URL: "x",
    LOG_LEVEL: "loud",
    HOST: "999.1.1.1",
    WORKER_PORT: "70000",
    PUSH_A_URL: "apns",
    PUSH_B_URL: "ftp://x",
  })
  const problems = Result.isFailure(read) ? read.failure : []
  expect(problems.map((problem) => problem.split(":")[0])).toEqual([
    "HOST",
    "DATABASE_URL",
    "REDIS_URL",
    "LOG_LEVEL",
    "PUSH_A_URL",
    "PUSH_B_URL",
    "WORKER_PORT",
    "SECRETS_KEY",
  ])
  expect(problems.join("\n")).toContain('must be a port, 0 to 65535; it is "70000".')
})

it("takes an address of Redis that its client can read, and says what is wrong with another", () => {
  const read = (REDIS_URL: string) => readWorkerConfig({ DATABASE_URL, SECRETS_KEY, REDIS_URL })
  const fine = ["", "/", "/0", "/12", "/1/", "?family=6", "?db=3"].map((end) => `redis://redis.example:6379${end}`)
  for (const url of [...fine, "redis://:a%25b@redis.example", "rediss://user:a%40b@[::1]:6380/1"])
    expect(Result.getOrThrow(read(url)).redisUrl).toBe(url)

  const password = "must have special characters of user and password percent-encoded"
  const number = "must have nothing behind the host but the number of a database, as in redis://redis.example:6379/1"
  for (const [url, sentence, shown] of [
    ["redis://:s3%cret@redis.example", password, "redis://:***@redis.example"],
    ["redis://us%er:s3cret@redis.example", password, "redis://us%er:***@redis.example"],
    ["redis://:s3cret@redis.example/cache", number, "redis://:***@redis.example/cache"],
    ["redis://redis.example/-1", number, "redis://redis.example/-1"],
    ["redis://redis.example?db=one", number, "redis://redis.example?***"],
  ] as const) {
    const answer = read(url)
    expect(Result.isFailure(answer) && answer.failure).toEqual([`REDIS_URL: ${sentence}; it is "${shown}".`])
  }
})

it("says what is wrong with the name of a database", () => {
  const read = readWorkerConfig({ DATABASE_URL: "postgres://u:p%25@db.example/hea%zz", SECRETS_KEY })
  expect(Result.isFailure(read) && read.failure).toEqual([
    'DATABASE_URL: must have special characters in the name of the database percent-encoded; it is "postgres://u:***@db.example/hea%zz".',
  ])
  const DATABASE_URL = "postgres://u:p%25@db.example/hea%2Frth"
  expect(Result.getOrThrow(readWorkerConfig({ DATABASE_URL, SECRETS_KEY })).databaseUrl).toBe(DATABASE_URL)
})

it("refuses to run without a database and the keys of its server", () => {
  const read = readWorkerConfig({})
  expect(Result.isFailure(read) && read.failure).toEqual([
    expect.stringContaining("DATABASE_URL"),
    expect.stringContaining("SECRETS_KEY"),
  ])
})

it("takes for how long things are kept [I0.3]", () => {
  const days = {
    KEEP_FEED_ITEMS_DAYS: "1",
    KEEP_PUSH_DELIVERIES_DAYS: "2",
    KEEP_MODERATION_ITEMS_DAYS: "36500",
    KEEP_ENDED_INVITES_DAYS: "4",
    KEEP_CONTENT_DELIVERIES_DAYS: "5",
  }
  expect(Result.getOrThrow(readWorkerConfig({ DATABASE_URL, SECRETS_KEY, ...days })).retention).toEqual({
    feed_items: 1,
    push_deliveries: 2,
    moderation_items: 36_500,
    ended_invites: 4,
    content_deliveries: 5,
  })
  for (const wrong of ["0", "-1", "1.5", "36501", "many", "1 day"]) {
    const read = readWorkerConfig({ DATABASE_URL, SECRETS_KEY, KEEP_FEED_ITEMS_DAYS: wrong })
    expect(Result.isFailure(read) && read.failure).toEqual([
      `KEEP_FEED_ITEMS_DAYS: must be a number of days, 1 to 36500; it is "${wrong}".`,
    ])
  }
})
