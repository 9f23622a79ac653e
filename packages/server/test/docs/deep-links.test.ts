import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { runPage } from "../harness/page.ts"

describe("docs/deep-links.md", { timeout: 90_000 }, () => {
  const harness = makeHarness()
  const folder = harness.folder()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  }, 60_000)
  afterAll(harness.clear)

  it("runs as it is written, from the first request to the last [I8.1, I8.2, I8.3, I8.4]", async () => {
    const variables = {
      ...{ api: `${server.url}/v1`, project: project.id, key: project.clientKey },
      token: project.owner.as["authorization"]?.replace("Bearer ", "") ?? "",
    }
    const { stdout, answer } = await runPage("deep-links.md", { folder, variables })
    expect(stdout).not.toContain('"error"')
    expect(answer("link")).toMatchObject({ slug: "sale", click_count: 0, metadata: { campaign: "spring" } })
    expect(answer("apple")).toMatchObject({
      ...answer("config"),
      ...{ ios_team_id: "A1B2C3D4E5" },
      ios_bundle_id: "com.example.app",
      updated_at: expect.any(String),
    })
    expect(answer("resolved")).toEqual({
      destination_url: "https://shop.example/sale",
      metadata: { campaign: "spring" },
    })
    expect(answer("stats")).toMatchObject({ clicks_by_platform: { ios: 2, android: 0, web: 0, unknown: 0 } })
    const association = JSON.parse(readFileSync(`${folder}/association.json`, "utf8"))
    expect(association.applinks.details[0].appIDs).toEqual(["A1B2C3D4E5.com.example.app"])
  })
})
