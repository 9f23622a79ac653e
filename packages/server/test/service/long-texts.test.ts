import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

// Four bytes in the database: no text of as many characters is longer there, or in an index.
const most = (characters: number) => "😀".repeat(characters)

describe("the longest texts of characters beyond 16 bits", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    user = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  it.each([
    ["/client/events", "event_name", 255, {}],
    ["/client/reviews", "item_id", 255, { item_type: most(255), rating: 5 }],
    ["/client/sessions/start", "session_id", 255, {}],
    ["/client/push/tokens", "token", 4096, { platform: "ios" }],
  ])("of an app: %s %s", async (path, field, longest, rest) => {
    const post = (length: number) => server.api.call("POST", path, user.as, { ...rest, [field]: most(length) })
    expect((await post(longest)).status).toBeLessThan(300)
    expect(await post(longest + 1)).toMatchObject({ status: 400 })
  })

  it.each([
    ["/segments", "name", 200, { rules: { operator: "AND", conditions: [] } }],
    ["/streaks", "qualifying_event", 255, { name: most(200) }],
    [
      "/achievements",
      "key",
      255,
      { name: most(200), criteria: { operator: "AND", conditions: [{ event: most(255), op: "gte", count: 1 }] } },
    ],
    ["/feeds/rules", "source_event", 255, { action: most(64) }],
    ["/catalog/items", "key", 255, { name: most(200) }],
    ["/media/folders", "name", 200, {}],
    ["/moderation/rules", "name", 200, { rule_type: "keyword", action: "flag", config: { keywords: [most(100)] } }],
  ])("of a developer: %s %s", async (path, field, longest, rest) => {
    const post = (length: number) =>
      server.api.call("POST", `${project.admin}${path}`, project.owner.as, { ...rest, [field]: most(length) })
    expect(await post(longest)).toMatchObject({ status: 201 })
    expect(await post(longest + 1)).toMatchObject({ status: 400 })
  })
})
