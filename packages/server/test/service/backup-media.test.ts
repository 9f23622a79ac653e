import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject } from "../harness/fixtures.ts"
import { makeHarness } from "../harness/harness.ts"
import { addFile, sendFile } from "../media/harness.ts"

describe("hearth backup of files of media", () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const parent = harness.folder()
  const media = join(dataDir, "media")
  let files: string

  beforeAll(async () => {
    const server = await harness.server({ DATA_DIR: dataDir })
    const project = await aProject(server.api)
    const { upload_url } = await addFile(server.api, `${project.admin}/media`, project.owner.as, {})
    expect(await sendFile(upload_url, "a file")).toEqual([200, null])
    files = join(media, project.id)
  })
  afterAll(harness.clear)

  const backup = async (name: string) => {
    const run = harness.launch("hearth", { args: ["backup", join(parent, name)], environment: { DATA_DIR: dataDir } })
    const { code } = await run.ended
    return { code, out: run.output(), err: run.errors() }
  }

  it("does not follow a link", async () => {
    symlinkSync("/etc/passwd", join(files, "1_link"))
    const saved = await backup("linked")
    rmSync(join(files, "1_link"))
    expect(saved).toMatchObject({ code: 0, err: "", out: expect.stringContaining("\n1 files of media, 6 B.\n") })
  })

  it("ends with a sentence where a folder is in the place of a file, and leaves nothing", async () => {
    const folder = join(files, "1_folder")
    mkdirSync(folder)
    const { code, err } = await backup("folder")
    rmSync(folder, { recursive: true })
    expect([code, err]).toEqual([1, `${folder} is no file, and only files of media belong there: move it elsewhere.\n`])
    expect(readdirSync(parent)).toEqual(["linked"])
  })
})
