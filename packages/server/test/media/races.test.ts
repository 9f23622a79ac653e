import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { addFile, fetchFile, sendFile } from "./harness.ts"

const runs = Number(process.env["HEARTH_MEDIA_RACES"] ?? 3)

describe("files and folders under races", { timeout: 60_000 + runs * 5_000 }, () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let dataDir: string

  beforeAll(async () => {
    dataDir = harness.folder()
    server = await harness.server({ DATA_DIR: dataDir, MEDIA_QUOTA_BYTES: "100000" })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const admin = <Data>(method: string, path: string, body?: object) =>
    server.api.call<Data>(method, `${project.admin}/media${path}`, project.owner.as, body)
  const onDisk = () => {
    const folder = join(dataDir, "media", project.id)
    return existsSync(folder) ? readdirSync(folder).length : 0
  }
  const usage = async () => {
    const [row] = await sqlIn(dataDir).rows<{ used: number; had: number }>(
      project.id,
      `select coalesce((select bytes from media_usage), 0) as used,
         coalesce((select sum(size_bytes) from media_assets), 0)::float8 as had`,
    )
    return row
  }

  it("a file that is removed while it is sent leaves nothing, or is there as a whole [I7.2, I7.3]", async () => {
    for (let run = 0; run < runs; run += 1) {
      const before = onDisk()
      const files = await Promise.all(
        Array.from({ length: 8 }, () => addFile(server.api, `${project.admin}/media`, project.owner.as, {})),
      )
      await Promise.all(
        files.flatMap(({ data, upload_url }) => [
          sendFile(upload_url, "x".repeat(200)),
          admin("DELETE", `/${data.id}`).then(({ status }) => expect(status).toBe(200)),
        ]),
      )
      for (const { data, upload_url } of files) {
        expect((await fetchFile(data.storage_url)).status).toBe(404)
        expect((await sendFile(upload_url, "x"))[0]).toBe(403)
      }
      await expect.poll(onDisk).toBe(before)
      expect(await usage()).toEqual({ used: 0, had: 0 })
    }
  })

  it("a chain of folders that is removed at once loses no file, and no call fails [I7.3]", async () => {
    for (let run = 0; run < runs; run += 1) {
      const chain: Array<string> = []
      for (let depth = 0; depth < 6; depth += 1) {
        const { data } = await admin<{ id: string }>("POST", "/folders", {
          name: `${depth}`,
          parent_id: chain.at(-1) ?? null,
        })
        chain.push(data.id)
      }
      const files = await Promise.all(
        chain.map((folder_id) =>
          addFile(server.api, `${project.admin}/media`, project.owner.as, { folder_id, size_bytes: 1 }),
        ),
      )
      const removals = await Promise.all([...chain, ...chain].map((id) => admin("DELETE", `/folders/${id}`)))
      expect(removals.map(({ status }) => status)).toEqual(removals.map(() => 200))
      const { data } = await admin<ReadonlyArray<{ id: string; folder_id: string | null }>>("GET", "?limit=1000")
      for (const file of files) expect(data.find(({ id }) => id === file.data.id)?.folder_id).toBeNull()
      await Promise.all(files.map((file) => admin("DELETE", `/${file.data.id}`)))
    }
  })

  it("the quota of a project holds for additions at once, and is free again after removals [I0.2]", async () => {
    for (let run = 0; run < runs; run += 1) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          admin<{ id: string }>("POST", "", { filename: "a", mime_type: "image/png", size_bytes: 10_000 }),
        ),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
      expect(answers.filter(({ code }) => code === "QUOTA_EXCEEDED")).toHaveLength(10)
      expect(await usage()).toEqual({ used: 100_000, had: 100_000 })
      await Promise.all(answers.map(({ data }) => (data?.id === undefined ? null : admin("DELETE", `/${data.id}`))))
      expect(await usage()).toEqual({ used: 0, had: 0 })
    }
  })

  /** Sends 60,000 bytes for a user, and asks whether they are there while the service writes that they are. */
  const sendAndComplete = async (ada: TestUser) => {
    const before = onDisk()
    const { data, upload_url } = await addFile(server.api, "/client/media", ada.as)
    // What arrives is counted for its user, who is locked until it is on the disk and was asked for.
    const session = await sqlIn(dataDir).session(project.id)
    await session.run(`begin; select from app_users where id = '${ada.id}' for update`)
    const sent = sendFile(upload_url, "x".repeat(60_000))
    await expect.poll(onDisk).toBe(before + 1)
    const completed = server.api.ok<{ status: string }>("POST", `/client/media/${data.id}/complete`, ada.as)
    await Promise.race([completed, wait(300)])
    await session.end()
    return { data, sent: await sent, status: (await completed).status }
  }

  it("a file that is asked for while its upload ends counts once, and is refused over the quota [I7.3, I0.2]", async () => {
    const before = onDisk()
    const ada = await aUser(server.api, project)
    const first = await sendAndComplete(ada)
    expect(first).toMatchObject({ sent: [200, null], status: "uploaded" })
    expect((await fetchFile(first.data.storage_url)).status).toBe(200)
    expect(await usage()).toEqual({ used: 60_000, had: 60_000 })
    const second = await sendAndComplete(ada)
    expect(second).toMatchObject({ sent: [409, "QUOTA_EXCEEDED"], status: "pending" })
    expect((await fetchFile(second.data.storage_url)).status).toBe(404)
    expect(await usage()).toEqual({ used: 60_000, had: 60_000 })
    expect(onDisk()).toBe(before + 1)
    for (const { data } of [first, second]) await server.api.ok("DELETE", `/client/media/${data.id}`, ada.as)
  })

  it("a user who is removed while files are added and sent takes all of them along [I0.4]", async () => {
    for (let run = 0; run < runs; run += 1) {
      const before = onDisk()
      const ada = await aUser(server.api, project)
      const files = await Promise.all(Array.from({ length: 4 }, () => addFile(server.api, "/client/media", ada.as)))
      await Promise.all([
        ...files.map(({ upload_url }) => sendFile(upload_url, "x".repeat(100))),
        ...Array.from({ length: 4 }, () => addFile(server.api, "/client/media", ada.as).catch(() => null)),
        server.api.ok("DELETE", "/client/users/me", ada.as),
      ])
      for (const { data } of files) expect((await fetchFile(data.storage_url)).status).toBe(404)
      expect(await usage()).toEqual({ used: 0, had: 0 })
      await expect.poll(onDisk).toBe(before)
    }
  })
})
