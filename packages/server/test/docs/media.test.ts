import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { runPage } from "../harness/page.ts"

describe("docs/media.md", { timeout: 90_000 }, () => {
  const harness = makeHarness()
  const folder = harness.folder()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  }, 60_000)
  afterAll(harness.clear)

  it("runs as it is written, from the first request to the last [I7.1, I7.2, I7.3]", async () => {
    const variables = {
      ...{ api: `${server.url}/v1`, project: project.id, key: project.clientKey },
      token: project.owner.as["authorization"]?.replace("Bearer ", "") ?? "",
    }
    const { stdout, answer } = await runPage("media.md", { folder, variables })
    expect(stdout).not.toContain('"error"')
    const file = answer("file")
    expect(file).toMatchObject({ filename: "cover.png", size_bytes: 20, status: "pending", uploaded_by: "admin" })
    expect(answer("sent")).toEqual({ ...file, status: "uploaded" })
    const { user } = answer("me")
    expect(answer("avatar-sent")).toMatchObject({ uploaded_by: user.id, size_bytes: 6, status: "uploaded" })
    expect(answer("profile").avatar_url).toBe(answer("avatar").storage_url)
    expect(answer("own")).toEqual([answer("avatar-sent")])
    expect(answer("files")).toEqual([{ ...file, status: "uploaded", folder_id: null }])
  })
})
