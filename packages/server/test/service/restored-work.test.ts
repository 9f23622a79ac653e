import { cpSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

const harness = makeHarness()
afterAll(harness.clear)

const hourMillis = 3_600_000
const timeout = 90_000

describe("work of which the control database was not told when it was saved", () => {
  const dataDir = harness.folder()
  const folder = join(harness.folder(), "saved")
  const scheduled_at = new Date(Date.now() + hourMillis)
  let server: TestServer
  let project: TestProject

  const hearth = async (dataDir: string, ...args: ReadonlyArray<string>) => {
    const run = harness.launch("hearth", { args, environment: { DATA_DIR: dataDir } })
    const { code } = await run.ended
    return { code, err: run.errors() }
  }
  /** Whether the campaigns of the project are looked at when the campaign is about to begin. */
  const isExpected = async (dataDir: string) => {
    const [row] = await sqlIn(dataDir).rows<{ run_at: Date | null }>(
      "hearth",
      "select run_at from project_jobs where project_id = $1 and job = 'push.campaigns'",
      [project.id],
    )
    const at = row?.run_at?.getTime() ?? 0
    return at > scheduled_at.getTime() - hourMillis / 2 && at <= scheduled_at.getTime()
  }

  // The control database is saved before those of projects: a campaign may be scheduled in between.
  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
    const campaign = { title: "Hello", body: "World", scheduled_at: scheduled_at.toISOString() }
    await server.api.ok("POST", `${project.admin}/push/campaigns`, project.owner.as, campaign)
    await sqlIn(dataDir).rows(
      "hearth",
      "update project_jobs set run_at = null, pending_until = null where project_id = $1",
      [project.id],
    )
    expect(await hearth(dataDir, "backup", folder)).toEqual({ code: 0, err: "" })
  })

  it("is found after everything was restored", async () => {
    const elsewhere = harness.folder()
    for (const key of ["token-keys.json", "secrets-key"]) cpSync(join(dataDir, key), join(elsewhere, key))
    expect(await hearth(elsewhere, "restore", folder)).toEqual({ code: 0, err: "" })
    await harness.server({ DATA_DIR: elsewhere })
    await expect.poll(() => isExpected(elsewhere), { timeout }).toBe(true)
  })

  it("is found after the project was restored beside a service", async () => {
    const restored = await hearth(dataDir, "restore", folder, "--project", project.id, "--overwrite")
    expect(restored).toEqual({ code: 0, err: "" })
    // The next poll is that of a start: the one of a service that runs may be half a minute away.
    await server.end("SIGTERM")
    await harness.server({ DATA_DIR: dataDir })
    await expect.poll(() => isExpected(dataDir), { timeout }).toBe(true)
  })
})
