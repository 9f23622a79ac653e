import type { NewAsset } from "@hearth/core/media"
import { type TestWorldOptions, testWorld } from "@hearth/testing"
import { inPieces } from "@hearth/testing/contracts"
import { Effect } from "effect"

/** Where callers reach the service. */
export const origin = "https://api.example"

/** A project whose files are kept in memory. */
export const mediaWorld = async (options: TestWorldOptions = {}) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const { core, run } = world
  const { projectId } = await world.aProjectWithOwner()
  const input: NewAsset = {
    ...{ filename: "a.png", mime_type: "image/png", size_bytes: 5, folder_id: null, alt_text: null, metadata: {} },
  }
  const { folder_id: _, ...own } = input
  const page = { limit: 1_000, offset: 0 }

  const nameOf = (url: string) => decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? "")
  const sendBody = (url: string, body: AsyncIterable<Uint8Array>, type = "image/png") =>
    core.media.files.receive(projectId, nameOf(url), {
      grant: new URL(url).searchParams.get("upload") ?? "",
      content_type: type,
      length: null,
      body,
      origin,
    })
  const send = (url: string, text = "12345", type?: string) =>
    sendBody(url, inPieces(new TextEncoder().encode(text)), type)
  return {
    ...{ world, core, run, projectId, input, own, page, send, sendBody },
    add: (given: Partial<NewAsset> = {}) => run(core.media.create(projectId, { ...input, ...given }, origin)),
    addOwn: (userId: string, given: Partial<typeof own> = {}) =>
      run(core.media.createOwn(projectId, userId, { ...own, ...given }, origin)),
    list: async () => (await run(core.media.list(projectId, {}, page, origin))).rows,
    refusal: <A, E>(effect: Effect.Effect<A, E>) => run(Effect.flip(effect)),
    usage: () => run(world.tenants.transact(projectId, (db) => db.mediaUsage.lock())),
    /** The path of a file in the storage. */
    pathOf: (url: string) => `${projectId}/${nameOf(url)}`,
  }
}
