import type { RemoteStorage } from "@hearth/core/media"
import { memoryStorage } from "@hearth/testing"
import { inPieces } from "@hearth/testing/contracts"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { mediaWorld, origin } from "./world.ts"

const bucketWorld = async () => {
  const files = memoryStorage()
  const asked: Array<string> = []
  const storage: RemoteStorage = {
    ...{ kind: "remote", remove: files.remove, removeProject: files.removeProject },
    address: (path) => `https://bucket.example/${path}`,
    origins: ["https://bucket.example"],
    presign: ({ path, mime_type, size_bytes, seconds }) =>
      Effect.succeed(`https://bucket.example/${path}?type=${mime_type}&size=${size_bytes}&seconds=${seconds}`),
    find: (path) =>
      Effect.andThen(
        Effect.sync(() => asked.push(path)),
        files.find(path),
      ),
  }
  const world = await mediaWorld({ ports: () => ({ storage }) })
  const arrive = (url: string) => {
    const path = new URL(url).pathname.slice(1)
    return world.run(files.write(path, inPieces(new TextEncoder().encode("12345")), { leastBytes: 5, mostBytes: 5 }))
  }
  return { ...world, files, asked, arrive }
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

  it("do not pass through the service", async () => {
    const { add, send, refusal, core, projectId } = await bucketWorld()
    expect(await refusal(send((await add()).upload_url))).toMatchObject({ code: "FORBIDDEN" })
    expect(await refusal(core.media.files.open(projectId, "1700000000000_a.png"))).toMatchObject({ code: "NOT_FOUND" })
  })
})
