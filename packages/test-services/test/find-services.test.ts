import { describe, expect, it } from "vitest"
import { findServices, type ServiceDrivers } from "../src/find-services.ts"

/** Drivers of a machine with what `has` names. `calls` lists what they looked for and started, in order. */
const makeMachine = (...has: ReadonlyArray<"daemon" | "images" | "redis-server">) => {
  const calls: Array<string> = []
  const printed: Array<string> = []
  const container = (name: string) => {
    calls.push(`start ${name}`)
    if (!has.includes("images")) throw new Error("no such image")
  }
  const postgres = (source: string) => async () => {
    if (source === "docker") container("PostgreSQL")
    else calls.push("start local")
    return { url: `postgres://${source}`, stop: async () => void calls.push(`stop ${source}`) }
  }
  const drivers: ServiceDrivers = {
    dockerAnswers: async () => {
      calls.push("look for docker")
      return has.includes("daemon")
    },
    hasRedisServer: () => has.includes("redis-server"),
    tryRedisContainer: async () => container("Redis"),
    startPostgres: { docker: postgres("docker"), local: postgres("local") },
    print: (sentence) => printed.push(sentence),
  }
  return { drivers, calls, printed }
}

const DATABASE_URL = "postgres://given"
const REDIS_URL = "redis://given"
const docker = ["daemon", "images", "redis-server"] as const

describe("the services of a test run", () => {
  it.for([
    ["containers", docker, {}, "postgres://docker", null, "docker"],
    ["containers without a redis-server", ["daemon", "images"], {}, "postgres://docker", null, "docker"],
    ["what is here without a daemon", ["redis-server"], {}, "postgres://local", null, "local"],
    ["what is given", ["redis-server"], { DATABASE_URL, REDIS_URL }, DATABASE_URL, REDIS_URL, "local"],
    ["a given database beside containers", docker, { DATABASE_URL }, DATABASE_URL, null, "docker"],
    ["a given Redis beside containers", docker, { REDIS_URL }, "postgres://docker", REDIS_URL, "docker"],
    ["what is here if told so", docker, { TEST_SERVICES: "local" }, "postgres://local", null, "local"],
    ["containers if told so", docker, { TEST_SERVICES: "docker" }, "postgres://docker", null, "docker"],
    [
      "what is here for empty variables",
      ["redis-server"],
      { DATABASE_URL: "", REDIS_URL: "", TEST_SERVICES: "" },
      "postgres://local",
      null,
      "local",
    ],
  ] as const)("are %s", async ([, has, environment, databaseUrl, redisUrl, redis]) => {
    const { drivers, printed } = makeMachine(...has)
    const { stop, ...found } = await findServices(environment, drivers)
    expect(found).toEqual({ databaseUrl, redisUrl, redis })
    expect(printed).toEqual([])
  })

  it("are found without looking for Docker with TEST_SERVICES=local", async () => {
    const { drivers, calls } = makeMachine(...docker)
    await findServices({ TEST_SERVICES: "local" }, drivers)
    expect(calls).toEqual(["start local"])
  })

  it("include a given PostgreSQL, which is neither started nor stopped", async () => {
    const { drivers, calls } = makeMachine(...docker)
    const { stop } = await findServices({ DATABASE_URL }, drivers)
    await stop()
    expect(calls).toEqual(["look for docker", "start Redis"])
  })

  it.for([
    ["local", [], ["start local", "stop local"]],
    ["containers", docker, ["start Redis", "start PostgreSQL", "stop docker"]],
  ] as const)("are ended with the run: %s", async ([, has, expected]) => {
    const { drivers, calls } = makeMachine(...has)
    const { stop } = await findServices({}, drivers)
    await stop()
    expect(calls).toEqual(["look for docker", ...expected])
  })

  it("are local, with a message, where the daemon starts no container", async () => {
    const { drivers, printed } = makeMachine("daemon", "redis-server")
    expect(await findServices({}, drivers)).toMatchObject({ databaseUrl: "postgres://local", redis: "local" })
    expect(printed).toEqual(["No container starts, so tests use what is on this machine: no such image"])
  })

  it.for([
    ["no daemon answers", ["redis-server"], {}, "no Docker daemon answers"],
    ["no daemon answers, whatever is given", ["redis-server"], { DATABASE_URL, REDIS_URL }, "no Docker daemon answers"],
    ["the daemon starts none", ["daemon", "redis-server"], {}, "no such image"],
  ] as const)("fail if they must be containers and %s", async ([, has, environment, sentence]) => {
    const { drivers, calls } = makeMachine(...has)
    await expect(findServices({ ...environment, TEST_SERVICES: "docker" }, drivers)).rejects.toThrow(sentence)
    expect(calls).not.toContain("start local")
  })

  it("fail for an unknown value", async () => {
    await expect(findServices({ TEST_SERVICES: "podman" }, makeMachine().drivers)).rejects.toThrow(
      'TEST_SERVICES is "docker", "local" or left out, and not "podman".',
    )
  })

  it("have no Redis where nothing starts one, with one message", async () => {
    const { drivers, printed } = makeMachine()
    expect(await findServices({ REDIS_URL }, drivers)).toMatchObject({ redisUrl: REDIS_URL, redis: null })
    expect(printed).toEqual(["No redis-server was found: the suites that need a Redis of their own are skipped."])
  })
})
