import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aStreak, aUser, streaksOf } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("two services with databases of their own on one Redis", () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  let REDIS_URL: string
  let server: TestServer
  let other: TestServer

  beforeAll(async () => {
    REDIS_URL = (await harness.redis()).url
    server = await harness.server({ DATA_DIR: dataDir, REDIS_URL })
    other = await harness.server({ DATA_DIR: harness.folder(), REDIS_URL })
  })
  afterAll(harness.clear)

  it("do not take each other's work", async () => {
    const { api } = server
    const project = await aProject(api)
    await aStreak(api, project)
    // What the other one takes is found 30 s later. Of ten it would take one.
    for (let count = 0; count < 10; count += 1) {
      const user = await aUser(api, project)
      await api.ok("POST", "/client/events", user.as, { events: [{ event_name: "lesson_completed" }] })
      const streaks = () => streaksOf(api, project, user.id)
      await expect.poll(streaks, { timeout: 10_000 }).toMatchObject([{ current_count: 1 }])
    }
  })

  it("do not share their limits", async () => {
    const login = async ({ api }: TestServer) =>
      (await api.call("POST", "/auth/developer/login", {}, { email: "a@example.com", password: "a wrong one" })).status
    const until = async (status: number) => {
      for (let count = 0; count < 20; count += 1) if ((await login(server)) === status) return status
      return null
    }
    expect(await until(429)).toBe(429)
    expect(await login(other)).toBe(401)
  })

  it("are looked at by hearth doctor, each at its own queue", async () => {
    const run = harness.launch("hearth", { args: ["doctor"], environment: { DATA_DIR: dataDir, REDIS_URL } })
    expect(await run.ended).toMatchObject({ code: 0 })
    expect(run.output()).toMatch(/^ok +queue +The queue answers; \d+ runs wait\.$/m)
  })
})
