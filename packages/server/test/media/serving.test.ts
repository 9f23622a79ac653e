import { createHash, hash } from "node:crypto"
import { readdirSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs"
import { get } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { addFile, fetchFile, sendFile } from "./harness.ts"

describe("files that the service serves", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  const dataDir = harness.folder()

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const upload = async (body: string, given: { readonly filename?: string; readonly mime_type?: string } = {}) => {
    const { data, upload_url } = await addFile(server.api, `${project.admin}/media`, project.owner.as, given)
    expect(await sendFile(upload_url, body, given.mime_type)).toEqual([200, null])
    return data
  }

  it.each([
    ...["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"],
    ...["video/mp4", "audio/mpeg", "text/plain"],
  ])("are shown inline as %s [I7.2]", async (mime_type) => {
    const { header } = await fetchFile((await upload("x", { mime_type })).storage_url)
    expect(header("content-disposition")).toMatch(/^inline; filename="a.png"/)
    expect(header("content-type")).toBe(mime_type)
  })

  it.each(["text/html", "image/svg+xml", "application/pdf", "text/css", "application/xhtml+xml", "image/x-icon"])(
    "are saved and not shown as %s, and nothing in them runs [I7.2]",
    async (mime_type) => {
      const { header } = await fetchFile((await upload("<script>", { mime_type })).storage_url)
      expect(header("content-disposition")).toMatch(/^attachment; /)
      expect(header("x-content-type-options")).toBe("nosniff")
      expect(header("content-security-policy")).toBe("sandbox; default-src 'none'")
    },
  )

  it("break off at once where they have become shorter, so that no part is taken for the whole", async () => {
    const { storage_url } = await upload("x".repeat(100_000))
    const files = join(dataDir, "media", project.id)
    const [name = ""] = readdirSync(files).filter((each) => statSync(join(files, each)).size === 100_000)
    truncateSync(join(files, name), 10)
    const response = await fetch(storage_url, { signal: AbortSignal.timeout(20_000) })
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow(/terminated/)
  })

  it("are not there for HEAD either where they are gone from the disk", async () => {
    const { storage_url } = await upload("gone")
    const files = join(dataDir, "media", project.id)
    for (const name of readdirSync(files))
      if (readFileSync(join(files, name), "utf8") === "gone") rmSync(join(files, name))
    for (const headers of [{}, { range: "bytes=0-1" }, { range: "bytes=0-0,3-3" }])
      for (const method of ["GET", "HEAD"])
        expect([method, headers, (await fetchFile(storage_url, headers, method)).status]).toEqual([
          method,
          headers,
          404,
        ])
  })

  it("are whole for many who read them slowly at once", async () => {
    // Every piece differs from the others, so that none can stand in for another.
    const text = Array.from({ length: 200_000 }, (_, at) => `${at}`.padStart(10, "x")).join("")
    const { storage_url } = await upload(text)
    const wanted = hash("sha256", text)
    const fetchSlowly = () =>
      new Promise<string>((resolve, reject) => {
        const digest = createHash("sha256")
        get(storage_url, (response) => {
          response.on("data", (chunk: Buffer) => {
            digest.update(chunk)
            response.pause()
            setImmediate(() => response.resume())
          })
          response.on("end", () => resolve(digest.digest("hex")))
          response.on("error", reject)
        }).on("error", reject)
      })
    expect(await Promise.all(Array.from({ length: 12 }, fetchSlowly))).toEqual(Array(12).fill(wanted))
  })

  it("are sent in ranges, and not beyond their end [I7.2]", async () => {
    const { storage_url } = await upload("0123456789")
    const range = async (value: string, more: Record<string, string> = {}) => {
      const { status, text, header } = await fetchFile(storage_url, { range: value, ...more })
      return [status, status === 416 ? "" : text, header("content-range"), header("content-length")]
    }
    expect(await range("bytes=0-3")).toEqual([206, "0123", "bytes 0-3/10", "4"])
    expect(await range("bytes=4-")).toEqual([206, "456789", "bytes 4-9/10", "6"])
    expect(await range("bytes=-3")).toEqual([206, "789", "bytes 7-9/10", "3"])
    expect(await range("bytes=8-99")).toEqual([206, "89", "bytes 8-9/10", "2"])
    expect(await range("bytes=-99")).toEqual([206, "0123456789", "bytes 0-9/10", "10"])
    for (const beyond of ["bytes=10-", "bytes=99-100", "bytes=-0"])
      expect((await range(beyond)).slice(0, 3)).toEqual([416, "", "bytes */10"])
    for (const odd of ["bytes=", "bytes=a-b", "lines=1-2", "bytes=5-2;", `bytes=${"0-0,5-5,".repeat(20)}9-9`])
      expect([206, 200]).toContain((await range(odd))[0])
    for (const odd of ["lines=1-2", "bytes=5-2"]) expect(await range(odd)).toEqual([200, "0123456789", null, "10"])
    expect((await range("bytes=0-3", { "if-range": '"another"' }))[0]).toBe(200)
    const tag = (await fetchFile(storage_url)).header("etag") ?? ""
    expect((await range("bytes=0-3", { "if-range": tag }))[0]).toBe(206)
  })

  it("are sent in several ranges at once, those that overlap as one [I7.2]", async () => {
    const { storage_url } = await upload("0123456789")
    const several = await fetchFile(storage_url, { range: "bytes=0-1,8-" })
    expect(several.status).toBe(206)
    const boundary = /^multipart\/byteranges; boundary=(\S+)$/.exec(several.header("content-type") ?? "")?.[1]
    expect(several.text.split(`\r\n--${boundary}`)).toEqual([
      ...["", "\r\nContent-Type: image/png\r\nContent-Range: bytes 0-1/10\r\n\r\n01"],
      ...["\r\nContent-Type: image/png\r\nContent-Range: bytes 8-9/10\r\n\r\n89", "--\r\n"],
    ])
    expect(several.header("content-length")).toBe(String(several.text.length))
    expect(await fetchFile(storage_url, { range: "bytes=0-5,3-7" })).toMatchObject({ status: 206, text: "01234567" })
    const many = Array.from({ length: 5 }, (_, at) => `${at * 2}-${at * 2}`).join()
    expect((await fetchFile(storage_url, { range: `bytes=${many},${many}` })).status).toBe(206)
  })

  it("are not sent to who has them, and HEAD tells what GET would send [I7.2]", async () => {
    const { storage_url } = await upload("0123456789")
    const { header } = await fetchFile(storage_url)
    const tag = header("etag") ?? ""
    expect([tag, header("accept-ranges"), header("cache-control")]).toEqual([
      expect.stringMatching(/^".+"$/),
      "bytes",
      "no-cache",
    ])
    for (const value of [tag, `"x", ${tag}`, `W/${tag}`, "*"])
      expect((await fetchFile(storage_url, { "if-none-match": value })).status).toBe(304)
    expect((await fetchFile(storage_url, { "if-none-match": '"x"' })).status).toBe(200)
    const head = await fetchFile(storage_url, {}, "HEAD")
    expect([head.status, head.text, head.header("content-length"), head.header("etag")]).toEqual([200, "", "10", tag])
    const part = await fetchFile(storage_url, { range: "bytes=0-3" }, "HEAD")
    expect([part.status, part.header("content-length")]).toEqual([206, "4"])
  })

  it.each([
    ["a%2Fb c&d?e#f.png", "a%2Fb c&d?e#f.png"],
    ["../../etc/passwd", "___.._etc_passwd"],
    ["..\\x\u0000".replace("\u0000", "\u0007"), "___x_"],
    [".htaccess", "_htaccess"],
    ["ü\u202Egnp.exe 🦊", "ü_gnp.exe 🦊"],
    ["ä".repeat(255), "ä".repeat(255)],
  ])("have a name that is only a name: %j [I7.1]", async (filename, clean) => {
    const { storage_url, filename: stored } = await upload("named", { filename })
    expect(stored).toBe(clean)
    const { status, text, header } = await fetchFile(storage_url)
    expect([status, text]).toEqual([200, "named"])
    const encoded = /filename\*=UTF-8''(\S+)$/.exec(header("content-disposition") ?? "")?.[1] ?? ""
    expect(decodeURIComponent(encoded)).toBe(clean)
  })

  it("are no other files of the disk, whatever the path says [I7.2]", async () => {
    const { storage_url } = await upload("mine")
    const base = `/files/${project.id}`
    const name = storage_url.split("/").at(-1)
    const paths = [
      ...[`${base}/..%2F..%2Fpostgres%2FPG_VERSION`, `${base}/%2e%2e%2fsecrets-key`, `${base}/..%5Cx`, `${base}/%00`],
      ...[`${base}/%`, `${base}/%C0%AE`, `${base}/.uploads`, `${base}/`, base, "/files", "/files/..%2F..%2Fetc/passwd"],
      ...[`/files/%2e%2e/${name}`, `/files/x/${name}`, `/files/${project.id}%2F..%2F${project.id}/${name}`],
    ]
    for (const path of paths) expect([path, (await server.api.root(path)).status]).toEqual([path, 404])
    expect((await server.api.root(`${base.toUpperCase().replace("FILES", "files")}/${name}`)).status).toBe(200)
  })

  it("may be sent and read by pages of any origin", async () => {
    const { storage_url } = await upload("x")
    const asked = { origin: "https://app.example", "access-control-request-method": "PUT" }
    const preflight = await fetch(storage_url, { method: "OPTIONS", headers: asked })
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "GET, HEAD, PUT"])
    expect((await fetchFile(storage_url)).header("access-control-allow-origin")).toBe("*")
    expect((await fetch(storage_url, { method: "POST" })).status).toBe(405)
  })
})
