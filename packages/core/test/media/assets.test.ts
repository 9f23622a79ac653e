import { inPieces } from "@hearth/testing/contracts"
import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"
import { mediaWorld } from "./world.ts"

const quota = { code: "QUOTA_EXCEEDED", kind: "conflict" }
const size = { leastBytes: 1, mostBytes: 100 }

describe("a file", () => {
  it("has a path of project, millisecond and name, the next one where it is taken [I7.2]", async () => {
    const { add, projectId, world } = await mediaWorld()
    const millis = world.clock.now().getTime()
    const urls = [(await add()).data, (await add()).data, (await add({ filename: "b.png" })).data]
    expect(urls.map(({ storage_url }) => storage_url)).toEqual([
      `https://api.example/files/${projectId}/${millis}_a.png`,
      `https://api.example/files/${projectId}/${millis + 1}_a.png`,
      `https://api.example/files/${projectId}/${millis}_b.png`,
    ])
  })

  it("has a name of 255 characters and 765 bytes at most, which a key of S3 has room for", async () => {
    const { add } = await mediaWorld()
    for (const filename of ["x".repeat(255), "€".repeat(255), "😀".repeat(191)]) {
      expect((await add({ filename })).data.filename).toBe(filename)
    }
    for (const filename of ["x".repeat(256), "😀".repeat(192)])
      await expect(add({ filename })).rejects.toMatchObject({ code: "INVALID_INPUT" })
  })

  it("has metadata of 16 KB at most, in bytes of JSON", async () => {
    const { add } = await mediaWorld()
    const most = 16 * 1024 - '{"a":""}'.length
    await add({ metadata: { a: "x".repeat(most) } })
    for (const a of ["x".repeat(most + 1), "€".repeat(most / 2)])
      await expect(add({ metadata: { a } })).rejects.toMatchObject({ code: "INVALID_INPUT" })
  })

  it("can be sent for 15 minutes, and not later [I7.2]", async () => {
    const { add, world, run, send, refusal } = await mediaWorld()
    const [one, two] = [await add(), await add()]
    world.clock.advance("899 seconds")
    expect(await run(send(one.upload_url))).toMatchObject({ status: "uploaded" })
    world.clock.advance("1 second")
    expect(await refusal(send(two.upload_url))).toMatchObject({ code: "FORBIDDEN" })
  })

  it("waits for its turn beside four that are still coming, and is taken where they break [I7.2]", async () => {
    const { add, list, run, send, sendBody, refusal } = await mediaWorld()
    const { upload_url } = await add()
    const lost = Promise.withResolvers<void>()
    const stalled = async function* () {
      yield new TextEncoder().encode("1")
      await lost.promise
      throw new Error("The sender is gone.")
    }
    const broken = [1, 2, 3, 4].map(() => refusal(sendBody(upload_url, stalled())))
    const fifth = run(send(upload_url))
    lost.resolve()
    for (const { code } of await Promise.all(broken)) expect(code).toBe("INVALID_INPUT")
    expect(await fifth).toMatchObject({ status: "uploaded", size_bytes: 5 })
    expect(await refusal(send(upload_url))).toMatchObject({ code: "ALREADY_UPLOADED" })
    expect((await list())[0]?.status).toBe("uploaded")
  })

  it("that is there counts as uploaded after 20 minutes, though nobody said so [I7.3]", async () => {
    const { add, list, world, run, pathOf, core, projectId } = await mediaWorld()
    const { data } = await add()
    // As by a process that died before it wrote the row.
    await run(world.storage.write(pathOf(data.storage_url), inPieces(new TextEncoder().encode("12345")), size))
    await world.advance("19 minutes")
    expect((await list())[0]?.status).toBe("pending")
    await world.advance("1 minute")
    expect((await list())[0]).toMatchObject({ status: "uploaded", size_bytes: 5 })
    const other = await add()
    await run(world.storage.write(pathOf(other.data.storage_url), inPieces(new TextEncoder().encode("12345")), size))
    expect(await run(core.media.complete(projectId, other.data.id, "https://x"))).toMatchObject({ status: "uploaded" })
  })

  it("that a dead process wrote is noted when it is sent again [I7.2]", async () => {
    const { add, list, world, run, pathOf, send, refusal } = await mediaWorld()
    const { data, upload_url } = await add()
    await run(world.storage.write(pathOf(data.storage_url), inPieces(new TextEncoder().encode("12345")), size))
    expect(await refusal(send(upload_url))).toMatchObject({ code: "ALREADY_UPLOADED" })
    expect((await list())[0]?.status).toBe("uploaded")
  })

  it("that never comes goes after a day, and stays as long as the storage does not answer [I7.3]", async () => {
    const { add, list, world, usage } = await mediaWorld()
    await add()
    await world.advance("23 hours")
    expect(await list()).toHaveLength(1)
    world.storage.fail(true)
    await world.advance("2 hours")
    expect(await list()).toHaveLength(1)
    world.storage.fail(false)
    await world.advance("10 minutes")
    expect(await list()).toEqual([])
    expect(await usage()).toBe(0)
  })

  it("goes with its row at once, else by the job when the storage answers again [I7.3]", async () => {
    const { add, run, send, core, projectId, world, usage, list } = await mediaWorld()
    const [one, two] = [await add(), await add()]
    for (const { upload_url } of [one, two]) await run(send(upload_url))
    expect(await usage()).toBe(10)
    await run(core.media.remove(projectId, one.data.id))
    expect(world.storage.paths()).toHaveLength(1)
    world.storage.fail(true)
    await run(core.media.remove(projectId, two.data.id))
    await run(core.media.remove(projectId, two.data.id))
    expect([await list(), await usage()]).toEqual([[], 0])
    expect(world.storage.paths()).toHaveLength(1)
    await world.advance("10 minutes")
    world.storage.fail(false)
    await world.advance("10 minutes")
    expect(world.storage.paths()).toEqual([])
  })

  it("that arrives after its row is gone is removed, also by the job [I7.2, I7.3]", async () => {
    const { add, run, send, core, projectId, world, refusal, pathOf } = await mediaWorld()
    const { data, upload_url } = await add()
    await run(core.media.remove(projectId, data.id))
    expect(await refusal(send(upload_url))).toMatchObject({ code: "FORBIDDEN" })
    // As by an upload that had begun before, in a process that died.
    await run(world.storage.write(pathOf(data.storage_url), inPieces(new TextEncoder().encode("12345")), size))
    await world.advance("80 minutes")
    expect(world.storage.paths()).toEqual([])
  })
})

describe("quotas of files [I0.2]", () => {
  it("are 1 GB and 1,000 files a user, the pending ones included", async () => {
    const { addOwn, world, projectId, core, own, refusal, run } = await mediaWorld()
    const { userId } = await world.aSignedInUser(projectId)
    const hundred = 100 * 1024 ** 2
    for (let files = 0; files < 10; files += 1) await addOwn(userId, { size_bytes: hundred })
    const more = (size_bytes: number | null) =>
      core.media.createOwn(projectId, userId, { ...own, size_bytes }, "https://x")
    expect(await refusal(more(hundred))).toMatchObject({ ...quota, details: { limit: 1024 ** 3 } })
    expect(await run(more(24 * 1024 ** 2))).toMatchObject({ data: { status: "pending" } })
    expect(await refusal(more(1))).toMatchObject(quota)
    const other = await world.aSignedInUser(projectId)
    const row = await addOwn(other.userId)
    const found = await run(world.tenants.read(projectId, (db) => db.mediaAssets.find({ id: row.data.id })))
    const others = Array.from({ length: 999 }, (_, at) => ({
      ...Option.getOrThrow(found),
      ...{ id: `0190aaaa-bbbb-7ccc-8ddd-${String(at).padStart(12, "0")}`, path: `p/${at}_x` },
    }))
    await run(
      world.tenants.transact(projectId, (db) => Effect.forEach(others, (other) => db.mediaAssets.insert(other))),
    )
    const full = core.media.createOwn(projectId, other.userId, own, "https://x")
    expect(await refusal(full)).toMatchObject({ ...quota, details: { limit: 1_000 } })
  })

  it("hold for two additions at once", async () => {
    const { world, projectId, core, own, run } = await mediaWorld()
    const { userId } = await world.aSignedInUser(projectId)
    const hundred = 100 * 1024 ** 2
    const add = run(
      Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.exit(core.media.createOwn(projectId, userId, { ...own, size_bytes: hundred }, "https://x")),
        { concurrency: "unbounded" },
      ),
    )
    expect((await add).filter(({ _tag }) => _tag === "Success")).toHaveLength(10)
  })

  it("of a project are checked with what is announced, and with what comes", async () => {
    const { world, projectId, input, refusal, send, run } = await mediaWorld()
    const { createEngagement } = await import("@hearth/core")
    const core = createEngagement(world.ports, { media: { maxBytes: 8, quotaBytes: 10 } })
    const add = (size_bytes: number | null) => core.media.create(projectId, { ...input, size_bytes }, "https://x")
    expect(await refusal(add(9))).toMatchObject({ code: "INVALID_INPUT" })
    await run(add(6))
    expect(await refusal(add(5))).toMatchObject(quota)
    const { upload_url } = await run(add(null))
    const name = decodeURIComponent(new URL(upload_url).pathname.split("/").at(-1) ?? "")
    const sent = (text: string) =>
      core.media.files.receive(projectId, name, {
        ...{ grant: new URL(upload_url).searchParams.get("upload") ?? "", content_type: "image/png", length: null },
        ...{ body: inPieces(new TextEncoder().encode(text)), origin: "https://x" },
      })
    expect(await refusal(sent("12345"))).toMatchObject(quota)
    expect(world.storage.paths()).toEqual([])
    expect(await run(sent("1234"))).toMatchObject({ size_bytes: 4, status: "uploaded" })
    expect(await refusal(send("https://x/y?upload=z"))).toMatchObject({ code: "FORBIDDEN" })
  })

  it("are 200 new files a day and user, and none for developers [I0.1]", async () => {
    const { addOwn, add, world, projectId, core, own, refusal, run } = await mediaWorld()
    const { userId } = await world.aSignedInUser(projectId)
    for (let files = 0; files < 200; files += 1) await addOwn(userId)
    const more = core.media.createOwn(projectId, userId, own, "https://x")
    expect(await refusal(more)).toMatchObject({ code: "RATE_LIMIT_EXCEEDED" })
    await add()
    world.clock.advance("1 day")
    expect(await run(more)).toMatchObject({ data: { status: "pending" } })
  })
})

describe("who is removed", () => {
  it("takes all files along, in pieces, and nobody else's [I0.4]", async () => {
    const { addOwn, add, world, projectId, core, send, run, usage, list } = await mediaWorld()
    const [ada, bob] = [await world.aSignedInUser(projectId), await world.aSignedInUser(projectId)]
    for (let files = 0; files < 20; files += 1) await run(send((await addOwn(ada.userId)).upload_url))
    for (const { upload_url } of [await addOwn(bob.userId), await add()]) await run(send(upload_url))
    await run(core.users.remove(projectId, ada.userId))
    expect(await list()).toHaveLength(2)
    expect(await usage()).toBe(10)
    await world.advance("1 minute")
    expect(world.storage.paths()).toHaveLength(2)
  })

  it("as a project takes all files along, also those that arrive late, once the storage answers [I7.3]", async () => {
    const { add, world, projectId, core, send, run, pathOf } = await mediaWorld()
    const { data, upload_url } = await add()
    await run(send(upload_url))
    const owner = (await run(world.control.read((db) => db.members.list({ project_id: projectId }, []))))[0]
    world.storage.fail(true)
    await run(core.projects.remove(projectId, owner?.developer_id ?? ""))
    await world.advance("2 minutes")
    expect(world.storage.paths()).toHaveLength(1)
    world.storage.fail(false)
    await world.advance("2 minutes")
    expect(world.storage.paths()).toEqual([])
    await run(world.storage.write(pathOf(data.storage_url), inPieces(new TextEncoder().encode("late")), size))
    await world.advance("80 minutes")
    expect(world.storage.paths()).toEqual([])
    expect(await run(world.control.read((db) => db.projectFiles.list({}, [])))).toEqual([])
  })
})
