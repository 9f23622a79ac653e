import { randomBytes, randomInt } from "node:crypto"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { apiAt } from "../harness/api.ts"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { addFile, fetchFile, type NewFile, sendFile } from "../media/harness.ts"

const cycles = Number(process.env["HEARTH_FAULT_CYCLES"] ?? 3)
const size = 300_000
const quota = 1_000 * size

interface Upload {
  readonly file: NewFile
  readonly content: string
  /** Whether it was answered that the file is there. */
  isAnswered: boolean
}

// Its tests are the steps of one story.
describe(`uploads to a service that is killed ${cycles} times`, {
  shuffle: false,
  timeout: 120_000 + cycles * 30_000,
}, () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  const api = apiAt(() => server.url)
  const uploads: Array<Upload> = []
  let server: TestServer
  let project: TestProject

  const start = async () => {
    server = await harness.server({ DATA_DIR: dataDir, MEDIA_QUOTA_BYTES: String(quota) })
  }
  const filesIn = (folder: string) => {
    const path = join(dataDir, "media", folder)
    return existsSync(path) ? readdirSync(path).map((name) => statSync(join(path, name)).size) : []
  }
  /** An address of before, where the service listens now. */
  const here = (address: string) => address.replace(/^https?:\/\/[^/]+/, server.url)
  const count = async (text: string) => Number((await sql.rows<{ n: string }>(project.id, text))[0]?.n)
  const usage = async () => ({
    counted: await count("select coalesce(sum(bytes), 0) as n from media_usage"),
    held: await count("select coalesce(sum(size_bytes), 0) as n from media_assets"),
  })

  beforeAll(async () => {
    await start()
    project = await aProject(api)
  })
  afterAll(harness.clear)

  const add = async (): Promise<Upload> => {
    const given = { mime_type: "text/plain", filename: "a.txt", size_bytes: size }
    const file = await addFile(api, `${project.admin}/media`, project.owner.as, given)
    return { file, content: randomBytes(size / 2).toString("hex"), isAnswered: false }
  }
  const send = async (upload: Upload) => {
    const outcome = await sendFile(here(upload.file.upload_url), upload.content, "text/plain").catch(() => null)
    if (outcome !== null && outcome[0] < 300) upload.isAnswered = true
    return outcome
  }
  /** Sends a half, and then nothing. */
  const sendHalf = ({ file, content }: Upload) => {
    const half = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(content.slice(0, size / 2))),
    })
    const headers = { "content-type": "text/plain", "content-length": String(size) }
    const request = { method: "PUT", headers, body: half, duplex: "half" } as RequestInit
    void fetch(here(file.upload_url), request).catch(() => {})
  }
  /** Whole where it is served at all. */
  const isServed = async ({ file, content, isAnswered }: Upload) => {
    const { status, text } = await fetchFile(here(file.data.storage_url))
    if (status === 200 ? text !== content : status !== 404 || isAnswered)
      throw new Error(`${status}: ${text.length} bytes of ${size}, answered: ${isAnswered}`)
    return status === 200
  }

  it("are there as a whole or not at all, and leave no draft behind [I7.2]", async () => {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const added = await Promise.all(Array.from({ length: 8 }, add))
      uploads.push(...added)
      for (const upload of added.slice(0, 2)) sendHalf(upload)
      await expect.poll(() => filesIn(".uploads").length, { interval: 2 }).toBe(2)
      const sending = added.slice(2).map(send)
      await wait(randomInt(40))
      await server.end("SIGKILL")
      await Promise.all(sending)
      await start()
      expect(filesIn(".uploads")).toEqual([])
      expect(new Set(filesIn(project.id))).toEqual(new Set(filesIn(project.id).length === 0 ? [] : [size]))
      for (const upload of uploads) await isServed(upload)
      const { counted, held } = await usage()
      expect([counted, held]).toEqual([uploads.length * size, uploads.length * size])
    }
  })

  it("are sent again, or given up with their place in the quota [I7.3, I0.2]", async () => {
    const [again, never] = [uploads.filter((_, at) => at % 8 !== 0), uploads.filter((_, at) => at % 8 === 0)]
    for (const upload of again) {
      const outcome = await send(upload)
      // One that was whole on the disk says that it is there.
      expect([200, 201, 409]).toContain(outcome?.[0])
      expect(await isServed(upload)).toBe(true)
    }
    await sql.rows(
      project.id,
      "update media_assets set created_at = now() - interval '2 days', check_at = now() where status = 'pending'",
    )
    await server.end("SIGKILL")
    await sql.rows("hearth", "update project_jobs set run_at = now(), version = version + 1 where job = 'media.files'")
    await start()
    const pending = () => count("select count(*) as n from media_assets where status = 'pending'")
    await expect.poll(pending, { interval: 50 }).toBe(0)
    for (const upload of never) expect(await isServed(upload)).toBe(false)
    expect(filesIn(project.id)).toEqual(again.map(() => size))
    expect(await usage()).toEqual({ counted: again.length * size, held: again.length * size })
  })
})
