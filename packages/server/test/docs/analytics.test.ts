import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { runPage } from "../harness/page.ts"

describe("docs/analytics.md", () => {
  const harness = makeHarness()
  const folder = harness.folder()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  it("runs as it is written, from the first request to the last", async () => {
    const variables = {
      ...{ api: `${server.url}/v1`, project: project.id, key: project.clientKey },
      token: project.owner.as["authorization"]?.replace("Bearer ", "") ?? "",
    }
    const { stdout, answer } = await runPage("analytics.md", { folder, variables })
    expect(stdout).not.toContain('"error"')
    expect(answer("started")).toMatchObject({ platform: "ios", app_version: "2.1.0" })
    expect(answer("beaten")).toMatchObject({ device_model: "iPhone17,1", metadata: { dark_mode: true } })
    expect(answer("overview")).toMatchObject({ stickiness: 2 / 30, new_users: [{ users: 1 }] })
    expect(answer("sessions")).toMatchObject({ users: 1, app_versions: [{ app_version: "2.1.0", sessions: 2 }] })
  })
})
