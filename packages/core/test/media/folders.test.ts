import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { mediaWorld, origin } from "./world.ts"

const folderWorld = async () => {
  const world = await mediaWorld()
  const { core, projectId, run, page } = world
  const make = async (name: string, parent_id: string | null = null) =>
    (await run(core.media.folders.create(projectId, { name, parent_id }))).id
  return {
    ...world,
    make,
    names: async (parent: string | null) =>
      (await run(core.media.folders.list(projectId, parent, page))).rows.map(({ name }) => name),
    remove: (id: string) => run(core.media.folders.remove(projectId, id)),
  }
}

describe("folders", () => {
  it("are listed by name, in the root or in a folder", async () => {
    const { make, names } = await folderWorld()
    const b = await make("b")
    await make("a")
    await make("inner", b)
    expect([await names(null), await names(b)]).toEqual([["a", "b"], ["inner"]])
  })

  it("are in folders that there are, as files are [I7.1]", async () => {
    const { core, projectId, refusal, make, remove, input } = await folderWorld()
    const gone = await make("gone")
    await remove(gone)
    await remove(gone)
    const issues = (path: string) => ({ code: "INVALID_INPUT", details: { issues: [{ path }] } })
    const folder = core.media.folders.create(projectId, { name: "x", parent_id: gone })
    expect(await refusal(folder)).toMatchObject(issues("parent_id"))
    const file = core.media.create(projectId, { ...input, folder_id: gone }, origin)
    expect(await refusal(file)).toMatchObject(issues("folder_id"))
  })

  it("leave what is in them to their parent [I7.3]", async () => {
    const { make, names, remove, add, list } = await folderWorld()
    const upper = await make("upper")
    const folder = await make("folder", upper)
    const inner = await make("inner", folder)
    await add({ folder_id: folder })
    await remove(folder)
    expect(await names(upper)).toEqual(["inner"])
    expect((await list())[0]?.folder_id).toBe(upper)
    await remove(upper)
    expect([await names(null), (await list())[0]?.folder_id]).toEqual([["inner"], null])
    await remove(inner)
    expect(await names(null)).toEqual([])
  })

  it("lose none of it when a whole chain of them is removed at once [I7.3]", async () => {
    const { make, names, core, projectId, run, add, list, world } = await folderWorld()
    const chain = [await make("0")]
    for (let depth = 1; depth < 8; depth += 1) chain.push(await make(`${depth}`, chain.at(-1)))
    for (const folder_id of chain) await add({ folder_id })
    await make("kept", chain.at(-1))
    const removals = chain.map((id) => core.media.folders.remove(projectId, id))
    await run(Effect.all(removals, { concurrency: "unbounded", discard: true }))
    expect(await names(null)).toEqual(["kept"])
    expect((await list()).map(({ folder_id }) => folder_id)).toEqual(chain.map(() => null))
    expect(world.signals.emitted).toEqual([])
  })
})
