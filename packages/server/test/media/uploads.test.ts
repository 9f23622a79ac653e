import { existsSync, readdirSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { addFile, fetchFile, sendFile } from "./harness.ts"

const forbidden = [403, "FORBIDDEN"]

describe("files that are sent to the service", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let folder: string

  beforeAll(async () => {
    const dataDir = harness.folder()
    folder = join(dataDir, "media")
    server = await harness.server({ DATA_DIR: dataDir, MEDIA_MAX_BYTES: "1000" })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const add = (given: object = {}) => addFile(server.api, `${project.admin}/media`, project.owner.as, given)
  const drafts = () => (existsSync(join(folder, ".uploads")) ? readdirSync(join(folder, ".uploads")) : [])
  const list = () =>
    server.api.ok<ReadonlyArray<{ id: string; status: string; size_bytes: number }>>(
      "GET",
      `${project.admin}/media?limit=1000`,
      project.owner.as,
    )
  const find = async (id: string) => (await list()).find((each) => each.id === id)

  it("are pending, then there at an address that begins with theirs, and uploaded at once [I7.2, I7.3]", async () => {
    const { data, upload_url } = await add({ size_bytes: 5 })
    expect(upload_url.startsWith(`${data.storage_url}?`)).toBe(true)
    expect((await fetchFile(data.storage_url)).status).toBe(404)
    expect(await sendFile(upload_url, "12345")).toEqual([200, null])
    expect(await fetchFile(data.storage_url)).toMatchObject({ status: 200, text: "12345" })
    expect(await find(data.id)).toMatchObject({ status: "uploaded", size_bytes: 5 })
  })

  it("are taken with parameters of their type, and get their size when it was not said", async () => {
    const { data, upload_url } = await add({ filename: "a.txt", mime_type: "text/plain" })
    expect(await sendFile(upload_url, "hello", "Text/Plain; charset=utf-8")).toEqual([200, null])
    expect(await find(data.id)).toMatchObject({ status: "uploaded", size_bytes: 5 })
  })

  it("are refused that are too large, of another type or repeated: 413, 415, 409 [I7.2]", async () => {
    const { data, upload_url } = await add({ size_bytes: 5 })
    expect(await sendFile(upload_url, "123456")).toEqual([413, "PAYLOAD_TOO_LARGE"])
    const stream = new ReadableStream({
      start: (controller) => {
        for (const part of ["123", "456"]) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    const init = { method: "PUT", body: stream, headers: { "content-type": "image/png" }, duplex: "half" }
    expect((await fetch(upload_url, init as RequestInit)).status).toBe(413)
    expect(await sendFile(upload_url, "12345", "image/gif")).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
    expect(await sendFile(upload_url, Buffer.from("12345"), "")).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
    expect(await sendFile(upload_url, "1234")).toEqual([400, "INVALID_INPUT"])
    expect((await find(data.id))?.status).toBe("pending")
    expect(await sendFile(upload_url, "12345")).toEqual([200, null])
    expect(await sendFile(upload_url, "54321")).toEqual([409, "ALREADY_UPLOADED"])
    expect((await fetchFile(data.storage_url)).text).toBe("12345")
    const unsized = await add()
    expect(await sendFile(unsized.upload_url, "x".repeat(1_001))).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect(await sendFile(unsized.upload_url, "")).toEqual([400, "INVALID_INPUT"])
    expect(drafts()).toEqual([])
  })

  it("are refused at an address that was altered in any part, or is another's: 403 [I7.2]", async () => {
    const { upload_url } = await add({ size_bytes: 5 })
    const other = await add({ size_bytes: 5 })
    const url = new URL(upload_url)
    const grant = url.searchParams.get("upload") ?? ""
    const withGrant = (value: string | null) => {
      const altered = new URL(upload_url)
      if (value === null) altered.searchParams.delete("upload")
      else altered.searchParams.set("upload", value)
      return altered.href
    }
    const steps = [1, 5, 20, 40, grant.length - 1]
    const altered = steps.map((step) => {
      const at = grant[step] === "A" ? "B" : "A"
      return withGrant(grant.slice(0, step) + at + grant.slice(step + 1))
    })
    const moved = upload_url.replace(/\/(\d{13})_/, (_, millis) => `/${Number(millis) + 1}_`)
    const elsewhere = other.upload_url.replace(/\?.*/, url.search)
    const foreign = upload_url.replace(project.id, "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000")
    const all = [...altered, withGrant(null), withGrant(""), withGrant(`${grant}A`), moved, elsewhere, foreign]
    for (const address of all) expect([address, await sendFile(address, "12345")]).toEqual([address, forbidden])
    expect(await sendFile(upload_url, "12345")).toEqual([200, null])
  })

  it("are refused when their row or their project is gone: 403, and nothing is left [I7.2]", async () => {
    const { data, upload_url } = await add()
    await server.api.ok("DELETE", `${project.admin}/media/${data.id}`, project.owner.as)
    expect(await sendFile(upload_url, "12345")).toEqual(forbidden)
    const gone = await aProject(server.api)
    const lost = await addFile(server.api, `${gone.admin}/media`, gone.owner.as)
    const kept = await addFile(server.api, `${gone.admin}/media`, gone.owner.as)
    expect(await sendFile(kept.upload_url, "12345")).toEqual([200, null])
    expect(existsSync(join(folder, gone.id))).toBe(true)
    await server.api.ok("DELETE", gone.admin, gone.owner.as)
    expect(await sendFile(lost.upload_url, "12345")).toEqual(forbidden)
    expect((await fetchFile(kept.data.storage_url)).status).toBe(404)
    expect(existsSync(join(folder, gone.id))).toBe(false)
  })

  it("leave nothing when they break off, and can be sent again [I7.2]", async () => {
    const { upload_url } = await add({ size_bytes: 500 })
    await new Promise<void>((resolve) => {
      const sending = request(upload_url, {
        method: "PUT",
        headers: { "content-type": "image/png", "content-length": 500 },
      })
      sending.on("error", () => {})
      sending.on("close", () => resolve())
      sending.write("x".repeat(100))
      setTimeout(() => sending.destroy(), 200)
    })
    await expect.poll(drafts).toEqual([])
    expect(await sendFile(upload_url, "y".repeat(500))).toEqual([200, null])
  })

  it("are taken once of many at once [I7.2]", async () => {
    const { data, upload_url } = await add({ size_bytes: 100 })
    const bodies = Array.from({ length: 10 }, (_, at) => String(at).repeat(100))
    const answers = await Promise.all(bodies.map((body) => sendFile(upload_url, body)))
    const won = answers.flatMap(([status], at) => (status === 200 ? [at] : []))
    expect(won).toHaveLength(1)
    expect(answers.filter(([status]) => status === 409)).toHaveLength(9)
    expect((await fetchFile(data.storage_url)).text).toBe(bodies[won[0] ?? -1])
    expect(drafts()).toEqual([])
  })

  it("have addresses of their own, however many are added at once [I7.2]", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => add({ filename: "same.png" })))
    expect(new Set(all.map(({ data }) => data.storage_url)).size).toBe(20)
  })

  it("are the caller's own on the client plane: images but SVG, videos, sounds [I7.3]", async () => {
    const [ada, bob] = [await aUser(server.api, project), await aUser(server.api, project)]
    const type = async (mime_type: string) => {
      const body = { filename: "a", mime_type }
      const { status, code } = await server.api.call("POST", "/client/media", ada.as, body)
      return status === 201 ? status : `${status} ${code}`
    }
    for (const good of ["image/png", "IMAGE/JPEG", "video/mp4", "audio/ogg"]) expect(await type(good)).toBe(201)
    for (const bad of ["image/svg+xml", "IMAGE/SVG+XML", "text/html", "text/plain", "application/pdf", "image"])
      expect([bad, await type(bad)]).toEqual([bad, "400 INVALID_INPUT"])
    const { data, upload_url } = await addFile(server.api, "/client/media", ada.as, { folder_id: "nonsense" })
    expect(data).toMatchObject({ folder_id: null, uploaded_by: ada.id })
    expect(await sendFile(upload_url, "12345")).toEqual([200, null])
    const remove = async (as: typeof ada) => {
      const { status, code } = await server.api.call("DELETE", `/client/media/${data.id}`, as.as)
      return [status, code]
    }
    expect(await remove(bob)).toEqual([404, "NOT_FOUND"])
    expect((await server.api.call("POST", `/client/media/${data.id}/complete`, bob.as)).status).toBe(404)
    expect((await server.api.ok<ReadonlyArray<unknown>>("GET", "/client/media", bob.as)).length).toBe(0)
    expect(await remove(ada)).toEqual([200, null])
    expect(await remove(ada)).toEqual([404, "NOT_FOUND"])
    expect((await fetchFile(data.storage_url)).status).toBe(404)
  })

  it("go with their user [I0.4]", async () => {
    const ada = await aUser(server.api, project)
    const { data, upload_url } = await addFile(server.api, "/client/media", ada.as)
    expect(await sendFile(upload_url, "12345")).toEqual([200, null])
    await server.api.ok("DELETE", "/client/users/me", ada.as)
    expect((await fetchFile(data.storage_url)).status).toBe(404)
    expect(await find(data.id)).toBeUndefined()
  })

  it.each([
    [{ filename: "" }, "filename"],
    [{ filename: "x".repeat(256) }, "filename"],
    [{ filename: 5 }, "filename"],
    [{ mime_type: "png" }, "mime_type"],
    [{ mime_type: "image/png; charset=x" }, "mime_type"],
    [{ mime_type: "image/png\r\nx: y" }, "mime_type"],
    [{ size_bytes: 0 }, "size_bytes"],
    [{ size_bytes: 1.5 }, "size_bytes"],
    [{ size_bytes: 1_001 }, "size_bytes"],
    [{ folder_id: "nope" }, "folder_id"],
    [{ folder_id: "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000" }, "folder_id"],
    [{ metadata: [] }, "metadata"],
  ])("are refused as %j with INVALID_INPUT [I7.1]", async (given, path) => {
    const body = { filename: "a.png", mime_type: "image/png", ...given }
    const { status, text } = await server.api.call("POST", `${project.admin}/media`, project.owner.as, body)
    expect([status, JSON.parse(text).error]).toMatchObject([
      400,
      { code: "INVALID_INPUT", details: { issues: [{ path }] } },
    ])
  })
})
