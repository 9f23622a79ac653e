import { startS3Server } from "@hearth/test-services/s3"
import { type StorageHarness, storageContract } from "@hearth/testing/contracts"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openStorage, parseStorageUrl } from "../../src/media/index.ts"

const open = async () => {
  const server = await startS3Server()
  const faults: Array<unknown> = []
  const { storage, close } = await openStorage(
    { url: server.storageUrl, dataDir: "/nowhere", servesFiles: true, isOnlyProcess: true },
    (_, message, facts) => faults.push(message, facts),
  )
  if (storage.kind !== "remote") throw new Error("It should be in a bucket.")
  const presign = (path: string, size_bytes: number, mime_type = "image/png") =>
    Effect.runPromise(storage.presign({ path, mime_type, size_bytes, seconds: 900 }))
  const send = async (url: string, body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    (
      await fetch(url, {
        method: "PUT",
        body,
        headers: { "content-type": "image/png", "if-none-match": "*", ...headers },
      })
    ).status
  const harness: StorageHarness = {
    storage,
    put: async (path, bytes) => (await send(await presign(path, bytes.length), Uint8Array.from(bytes))) === 200,
    get: async (path) => {
      const response = await fetch(storage.address(path))
      return response.status === 200 ? new Uint8Array(await response.arrayBuffer()) : null
    },
    close: async () => {
      close()
      await server.stop()
    },
  }
  return { ...harness, storage, server, presign, send, faults }
}

storageContract("S3", open)

describe("S3", () => {
  let s3: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    s3 = await open()
  })
  afterAll(() => s3.close())

  const five = new TextEncoder().encode("12345")
  let paths = 0
  const newPath = () => `0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000/${1_700_000_000_000 + paths++}_a.png`

  it("signs length, type and that there is no file yet: anything else is refused [I7.2]", async () => {
    const url = await s3.presign(newPath(), 5)
    expect(new URL(url).searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host;if-none-match")
    expect(new URL(url).searchParams.get("X-Amz-Expires")).toBe("900")
    const six = new TextEncoder().encode("123456")
    expect(await s3.send(url, six)).toBe(403)
    expect(await s3.send(url, five, { "content-type": "image/gif" })).toBe(403)
    expect(await s3.send(url, five, { "if-none-match": "x" })).toBe(403)
    expect(await s3.send(url.replace("_a.png", "_b.png"), five)).toBe(403)
    expect(await s3.send(url.replace("X-Amz-Expires=900", "X-Amz-Expires=9000"), five)).toBe(403)
    expect(await s3.send(url, five)).toBe(200)
    expect(await s3.send(url, five)).toBe(412)
  })

  it.each([
    "s3://key:secret@bucket?region=eu-central-1",
    "s3://key:secret@bucket.with.dots?region=eu-central-1",
    "s3://key:secret@bucket?endpoint=https://storage.example:9000/&path_style=true",
    "s3://key:secret@bucket?endpoint=https://storage.example&public_url=https://cdn.example/files",
  ])("names the origins of its addresses: %s", async (url) => {
    const { storage, close } = await openStorage(
      { url, dataDir: "/nowhere", servesFiles: true, isOnlyProcess: true },
      () => {},
    )
    if (storage.kind !== "remote") throw new Error("It should be in a bucket.")
    const path = newPath()
    const upload = await Effect.runPromise(
      storage.presign({ path, mime_type: "image/png", size_bytes: 5, seconds: 900 }),
    )
    expect(new Set(storage.origins)).toEqual(
      new Set([upload, storage.address(path)].map((each) => new URL(each).origin)),
    )
    close()
  })

  it("gives addresses that hold for 15 minutes [I7.2]", async () => {
    const url = await s3.presign(newPath(), 5)
    s3.server.shift(901_000)
    expect(await s3.send(url, five)).toBe(403)
    s3.server.shift(890_000)
    expect(await s3.send(url, five)).toBe(200)
    s3.server.shift(0)
  })

  it("that does not answer is an unreachable storage, and its keys are in no log", async () => {
    s3.server.fail(true)
    for (const asked of [s3.storage.find(newPath()), s3.storage.remove([newPath()]), s3.storage.removeProject("p")])
      expect(await Effect.runPromise(Effect.flip(asked))).toMatchObject({ code: "STORAGE_UNAVAILABLE" })
    s3.server.fail(false)
    expect(s3.faults.length).toBeGreaterThan(0)
    expect(JSON.stringify(s3.faults)).not.toMatch(/S3RVER/)
  })
})

describe("STORAGE_URL", () => {
  it("names a bucket and how it is reached, or a folder", () => {
    expect(parseStorageUrl("s3://bucket")).toEqual({
      ...{ kind: "s3", bucket: "bucket", prefix: "", region: "us-east-1", endpoint: null, credentials: null },
      ...{ pathStyle: false, publicUrl: null },
    })
    const url =
      "s3://key:s%2Fcret@my.bucket/a/b/?region=eu-1&endpoint=https://s3.example/&path_style=true&public_url=https://cdn.example/x/"
    expect(parseStorageUrl(url)).toEqual({
      ...{ kind: "s3", bucket: "my.bucket", prefix: "a/b/", region: "eu-1", endpoint: "https://s3.example" },
      ...{ credentials: { accessKeyId: "key", secretAccessKey: "s/cret" }, pathStyle: true },
      publicUrl: "https://cdn.example/x",
    })
    expect(parseStorageUrl("file:///var/lib/media")).toEqual({ kind: "folder", folder: "/var/lib/media" })
  })

  it.each([
    ...["", "bucket", "http://x", "s3://", "s3://B", "s3://ab", "s3://bucket?path_style=yes", "s3://bucket?endpoint=x"],
    ...["s3://key@bucket", "s3://bucket?region=a&other=b", "file://host/x", "s3://bucket/%"],
  ])("is nothing else: %j", (url) => {
    expect(parseStorageUrl(url)).toBeNull()
  })
})
