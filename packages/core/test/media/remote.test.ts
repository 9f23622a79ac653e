import { type RemoteStorage, StorageUnavailable } from "@hearth/core/media"
import { memoryStorage } from "@hearth/testing"
import { inPieces } from "@hearth/testing/contracts"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { mediaWorld, origin } from "./world.ts"

const bucketWorld = async () => {
  const files = memoryStorage()
  const asked: Array<string> = []
  let isAway = false
  // Of whose files the storage says nothing, and which it does not remove.
  const stuck = new Set<string>()
  const storage: RemoteStorage = {
    ...{ kind: "remote", removeProject: files.removeProject },
    remove: (paths) =>
      isAway
        ? Effect.fail(new StorageUnavailable())
        : Effect.as(
            files.remove(paths.filter((path) => !stuck.has(path))),
            paths.filter((path) => stuck.has(path)),
          ),
    address: (path) => `https://bucket.example/${path}`,
    origins: ["https://bucket.example"],
    presign: ({ path, mime_type, size_bytes, seconds }) =>
      isAway
        ? Effect.fail(new StorageUnavailable())
        : Effect.succeed(`https://bucket.example/${path}?type=${mime_type}&size=${size_bytes}&seconds=${seconds}`),
    find: (path) =>
      Effect.andThen(
        Effect.sync(() => asked.push(path)),
        isAway || stuck.has(path) ? Effect.fail(new StorageUnavailable()) : files.find(path),
      ),
  }
  const world = await mediaWorld({ ports: () => ({ storage }) })
  const arrive = (url: string) => {
    const path = new URL(url).pathname.slice(1)
    return world.run(files.write(path, inPieces(new TextEncoder().encode("12345")), { leastBytes: 5, mostBytes: 5 }))
  }
  const makeAway = (now: boolean) => {
    isAway = now
  }
  return { ...world, files, asked, arrive, makeAway, stuck }
}

describe("files in a bucket", () => {
  it("are sent there, with their type and size, for 15 minutes [I7.2]", async () => {
    const { add, core, projectId, input, refusal } = await bucketWorld()
    const { data, upload_url } = await add()
    expect(upload_url).toBe(`${data.storage_url}?type=image/png&size=5&seconds=900`)
    const unsized = core.media.create(projectId, { ...input, size_bytes: null }, origin)
    expect(await refusal(unsized)).toMatchObject({
      code: "INVALID_INPUT",
      details: { issues: [{ path: "size_bytes" }] },
    })
  })

  it("for which no address can be signed leave nothing, and take no place", async () => {
    const { add, core, projectId, own, makeAway, refusal, list, usage, world } = await bucketWorld()
    const { userId } = await world.aSignedInUser(projectId)
    makeAway(true)
    for (let turn = 0; turn < 3; turn += 1)
      expect(await refusal(core.media.createOwn(projectId, userId, own, origin))).toMatchObject({
        code: "STORAGE_UNAVAILABLE",
      })
    expect([await list(), await usage()]).toEqual([[], 0])
    makeAway(false)
    await add()
    expect(await usage()).toBe(5)
  })

  it("are uploaded when they are said to be complete and are there; a list asks nobody [I7.3]", async () => {
    const { add, core, projectId, run, arrive, asked, list } = await bucketWorld()
    const { data } = await add()
    const complete = core.media.complete(projectId, data.id, origin)
    expect(await run(complete)).toMatchObject({ status: "pending" })
    await arrive(data.storage_url)
    asked.length = 0
    expect((await list())[0]?.status).toBe("pending")
    expect(asked).toEqual([])
    expect(await run(complete)).toMatchObject({ status: "uploaded" })
    expect(await run(complete)).toMatchObject({ status: "uploaded" })
    expect(asked).toHaveLength(1)
  })

  it("are looked for after 20 minutes, and given up after a day [I7.3]", async () => {
    const { add, arrive, list, world } = await bucketWorld()
    const [one, two] = [await add(), await add()]
    await arrive(one.data.storage_url)
    await world.advance("20 minutes")
    expect(new Map((await list()).map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [one.data.id, "uploaded"],
        [two.data.id, "pending"],
      ]),
    )
    await world.advance("24 hours")
    expect((await list()).map(({ id }) => id)).toEqual([one.data.id])
  })

  it("that arrive after their row is gone are removed [I7.3]", async () => {
    const { add, arrive, core, projectId, run, files, world } = await bucketWorld()
    const { data } = await add()
    await run(core.media.remove(projectId, data.id))
    await arrive(data.storage_url)
    await world.advance("80 minutes")
    expect(files.paths()).toEqual([])
  })

  it("that are sent again to their address, when they were removed, are removed again [I7.3]", async () => {
    const { add, addOwn, arrive, core, projectId, run, files, world } = await bucketWorld()
    const { userId } = await world.aSignedInUser(projectId)
    const [one, own] = [await add(), await addOwn(userId)]
    for (const { data } of [one, own]) await arrive(data.storage_url)
    await run(core.media.complete(projectId, one.data.id, origin))
    await run(core.media.completeOwn(projectId, userId, own.data.id, origin))
    await run(core.media.remove(projectId, one.data.id))
    await run(core.users.remove(projectId, userId))
    await world.advance("1 minute")
    expect(files.paths()).toEqual([])
    for (const { data } of [one, own]) await arrive(data.storage_url)
    await world.advance("80 minutes")
    expect(files.paths()).toEqual([])
  })

  it("that nobody has said to be complete go at once with their user, and what arrives later goes later [I0.4]", async () => {
    const { addOwn, arrive, core, projectId, run, files, world } = await bucketWorld()
    const { userId } = await world.aSignedInUser(projectId)
    const [one, two] = [await addOwn(userId), await addOwn(userId)]
    await arrive(one.data.storage_url)
    await run(core.users.remove(projectId, userId))
    await world.advance("1 minute")
    expect(files.paths()).toEqual([])
    await arrive(two.data.storage_url)
    await world.advance("80 minutes")
    expect(files.paths()).toEqual([])
  })

  it("that nobody has said to be complete go soon where the storage was away when they were removed", async () => {
    const { add, arrive, core, projectId, run, files, world, makeAway } = await bucketWorld()
    const { data } = await add()
    await arrive(data.storage_url)
    makeAway(true)
    await run(core.media.remove(projectId, data.id))
    makeAway(false)
    expect(files.paths()).toHaveLength(1)
    await world.advance("10 minutes")
    expect(files.paths()).toEqual([])
  })

  it("that the storage does not remove are tried again, and keep no other from it", async () => {
    const { add, arrive, core, projectId, run, files, world, stuck, pathOf, list } = await bucketWorld()
    const [one, two, three] = [await add(), await add(), await add()]
    for (const { data } of [one, two, three]) await arrive(data.storage_url)
    stuck.add(pathOf(one.data.storage_url))
    for (const { data } of [one, two]) await run(core.media.remove(projectId, data.id))
    expect(files.paths()).toEqual([one, three].map(({ data }) => pathOf(data.storage_url)).sort())
    await world.advance("20 minutes")
    expect((await list()).map(({ status }) => status)).toEqual(["uploaded"])
    expect(files.paths()).toHaveLength(2)
    stuck.clear()
    await world.advance("6 minutes")
    expect(files.paths()).toEqual([pathOf(three.data.storage_url)])
  })

  it("of which the storage says nothing are asked for again, and keep no other from it", async () => {
    const { add, arrive, world, stuck, pathOf, list } = await bucketWorld()
    const statuses = async () => new Map((await list()).map(({ id, status }) => [id, status]))
    const silent = await Promise.all(Array.from({ length: 20 }, () => add()))
    for (const { data } of silent) stuck.add(pathOf(data.storage_url))
    const other = await add()
    for (const { data } of [...silent, other]) await arrive(data.storage_url)
    // It is asked for a few at a time, and for no more while it says nothing of any.
    await world.advance("20 minutes")
    for (let run = 0; run < 4; run += 1) await world.advance("5 minutes")
    expect((await statuses()).get(other.data.id)).toBe("uploaded")
    // Nobody knows that they are lost.
    await world.advance("26 hours")
    expect((await statuses()).size).toBe(21)
    stuck.clear()
    await world.advance("10 minutes")
    expect(new Set((await statuses()).values())).toEqual(new Set(["uploaded"]))
  })

  it("that are given up are removed where they come to light later", async () => {
    const { add, arrive, files, world, list, usage } = await bucketWorld()
    const { data } = await add()
    await world.advance("23 hours")
    await arrive(data.storage_url)
    const path = files.paths()
    expect(path).toHaveLength(1)
    const { find } = files
    // The bucket was not there, which it says as of a file that is not.
    files.find = () => Effect.succeed(null)
    await world.advance("2 hours")
    files.find = find
    await world.advance("1 minute")
    expect([await list(), await usage(), files.paths()]).toEqual([[], 0, []])
  })

  it("do not pass through the service", async () => {
    const { add, send, refusal, core, projectId } = await bucketWorld()
    expect(await refusal(send((await add()).upload_url))).toMatchObject({ code: "FORBIDDEN" })
    expect(await refusal(core.media.files.open(projectId, "1700000000000_a.png"))).toMatchObject({ code: "NOT_FOUND" })
  })
})
