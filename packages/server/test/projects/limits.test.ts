import { limitedFeatures } from "@hearth/core/limits"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isUserWrite, nameFeature } from "../../src/http/routing/route.ts"
import { routeGroups } from "../../src/routes/index.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

it("every route of a user that writes belongs to a feature that a project can limit [I0.1]", () => {
  const writing = routeGroups.flatMap(({ routes }) => routes).filter(isUserWrite)
  expect(writing.map(({ path }) => path)).toContain("/client/deep-links/resolve")
  expect(writing.length).toBeGreaterThan(15)
  expect(
    writing.map(({ path }) => nameFeature(path)).filter((name) => !limitedFeatures.some((each) => each === name)),
  ).toEqual([])
})

describe("the limits of a project, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder(), LIMIT_FEATURE_WRITES: "600 per minute, 20000 per day" })
    project = await aProject(server.api)
    user = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  const patch = (limits: unknown) => server.api.call("PATCH", project.admin, project.owner.as, { limits })
  const read = async () => (await server.api.ok<{ limits: unknown }>("GET", project.admin, project.owner.as)).limits
  const rename = () => server.api.call("PATCH", "/client/users/me", user.as, {})

  it("are shown, changed and cleared one by one [I0.1]", async () => {
    expect(await read()).toEqual({})
    expect((await patch({ users: { per_minute: 2, per_day: 9 }, groups: { per_day: 5 } })).status).toBe(200)
    await patch({ groups: null, users: { per_day: null } })
    expect(await read()).toEqual({ users: { per_minute: 2 } })
    await server.api.ok("PATCH", project.admin, project.owner.as, { name: "Other" })
    expect(await read()).toEqual({ users: { per_minute: 2 } })
    const given = { name: "Made", limits: { media: { per_day: 1 } } }
    expect(await server.api.ok("POST", "/admin/projects", project.owner.as, given)).toMatchObject(given)
  })

  it("refuse what a user writes beyond them, and nothing of developers [I0.1]", async () => {
    await patch({ users: { per_minute: 2 } })
    const answers = [await rename(), await rename(), await rename()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[2]).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" })
    const seconds = Number(answers[2]?.headers.get("retry-after"))
    expect([seconds >= 1, seconds <= 60]).toEqual([true, true])
    expect((await server.api.call("POST", "/client/events", user.as, { event_name: "lesson" })).status).toBe(200)
    expect((await server.api.call("GET", "/client/users/me", user.as)).status).toBe(200)
    for (let call = 0; call < 5; call += 1) {
      await server.api.ok("PATCH", `${project.admin}/users/${user.id}`, project.owner.as, {
        display_name: `Ada ${call}`,
      })
    }
    await patch({ users: null })
    expect((await rename()).status).toBe(200)
  })

  it("are the service's own where the project says nothing: 600 a minute [I0.1]", async () => {
    const other = await aUser(server.api, project)
    const statuses = new Map<number, number>()
    const one = async () => {
      const { status } = await server.api.call("DELETE", "/client/push/tokens/none", other.as)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    for (let turn = 0; turn < 61; turn += 1) await Promise.all(Array.from({ length: 10 }, one))
    expect(Object.fromEntries(statuses)).toEqual({ 200: 600, 429: 10 })
  })

  it.each([
    { nonsense: { per_minute: 1 } },
    { users: { per_minute: 0 } },
    { users: { per_minute: 1.5 } },
    { users: { per_day: 1_000_001 } },
    { users: { per_day: "5" } },
    { users: 5 },
    [[]],
    null,
  ])("cannot be %j [I0.1]", async (limits) => {
    expect(await patch(limits)).toMatchObject({ status: 400, code: "INVALID_INPUT" })
  })
})
