import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { runPage } from "../harness/page.ts"

describe("docs/social.md", { timeout: 90_000 }, () => {
  const harness = makeHarness()
  const folder = harness.folder()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  }, 60_000)
  afterAll(harness.clear)

  it("runs as it is written, from the first request to the last [I3.1, I3.2, I4.3]", async () => {
    const variables = {
      ...{ api: `${server.url}/v1`, project: project.id, key: project.clientKey },
      token: project.owner.as["authorization"]?.replace("Bearer ", "") ?? "",
    }
    const { stdout, answer } = await runPage("social.md", { folder, variables })
    expect(stdout).not.toContain('"error"')
    const bob = answer("bob").user
    expect(answer("feed")).toEqual([
      {
        ...{ id: expect.any(String), actor_id: bob.id, action: "read", target_id: "moby-dick" },
        created_at: expect.any(String),
        actor: { id: bob.id, display_name: bob.display_name, avatar_url: null },
      },
    ])
    expect(answer("followed-feed")).toEqual(answer("feed"))
    for (const name of ["followed", "blocked"])
      expect(answer(name)).toMatchObject({ id: bob.id, display_name: bob.display_name })
    expect(answer("unblocked")).toEqual({ deleted: true })
  })
})
