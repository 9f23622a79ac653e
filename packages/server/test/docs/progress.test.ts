import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { runPage } from "../harness/page.ts"

describe("docs/progress.md", () => {
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
    const { stdout, answer } = await runPage("progress.md", { folder, variables })
    expect(stdout).not.toContain('"error"')
    expect(answer("xp")).toEqual({
      total: 45,
      level: { name: "Novice", xp_required: 0 },
      next_level: { name: "Scholar", xp_required: 50 },
    })
    expect(answer("achievements")).toMatchObject([{ key: "perfectionist", progress: { current: 1, target: 2 } }])
    expect(answer("given-again")).toMatchObject({ key: "early-bird", unlocked_at: expect.any(String) })
    expect(answer("effects").effects).toMatchObject({
      xp: { awarded: 10, level: { name: "Scholar" } },
      leaderboards: [{ leaderboard_id: answer("board").id, score: 40, rank: 1 }],
    })
    expect(answer("again").effects).toEqual(answer("effects").effects)
    expect(answer("timeline")).toMatchObject([{ kind: "done", count_after: 1, reason: expect.any(String) }])
    expect(answer("ledger").entries[0]).toMatchObject({ amount: 10, reference_id: "sorry for the outage" })
  })
})
