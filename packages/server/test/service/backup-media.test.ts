import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs"
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
    expect(saved).toMatchObject({ code: 0, err: "", out: expect.stringContaining("\n1 file of media, 6 B.\n") })
  })

  it("ends with a sentence where a folder is in the place of a file, and leaves nothing", async () => {
    const folder = join(files, "1_folder")
    mkdirSync(folder)
    const before = readdirSync(parent)
    const { code, err } = await backup("folder")
    rmSync(folder, { recursive: true })
    expect([code, err]).toEqual([1, `${folder} is no file, and only files of media belong there: move it elsewhere.\n`])
    expect(readdirSync(parent)).toEqual(before)
  })

  it("ends with a sentence where the folder of files is missing or empty", async () => {
    renameSync(media, `${media}-away`)
    const before = readdirSync(parent)
    const missing = await backup("missing")
    mkdirSync(media)
    const empty = await backup("empty")
    mkdirSync(join(media, ".uploads"))
    const lost = await backup("lost")
    rmSync(media, { recursive: true })
    renameSync(`${media}-away`, media)
    const sentence = (is: string) =>
      new RegExp(`^The folder ${media} is ${is}, and project \\S+ has files in it: mount it`)
    expect(missing).toMatchObject({ code: 1, err: expect.stringMatching(sentence("not there")) })
    expect(empty).toMatchObject({ code: 1, err: expect.stringMatching(sentence("empty")) })
    expect(lost).toMatchObject({ code: 0, out: expect.stringContaining("\n0 files of media, 0 B.\n") })
    expect(readdirSync(parent)).toEqual([...before, "lost"].toSorted())
  })

  it("is complete without a folder of files where nobody has sent one", async () => {
    const { environment } = await harness.database()
    const server = await harness.server(environment)
    await aProject(server.api)
    const run = harness.launch("hearth", { args: ["backup", join(parent, "none")], environment })
    expect(await run.ended).toMatchObject({ code: 0 })
    expect(run.output()).toContain("\n0 files of media, 0 B.\n")
  })
})
