import { makeRemoveLibrary, mostImported } from "@hearth/core/content"
import { anId } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { fault, withFault } from "../faults.ts"
import { contentWorld, plainItem } from "./world.ts"

describe("what developers write", () => {
  it("comes last in its library, in its order, active and shown [I1.2, I6.2]", async () => {
    const { find, items, libraryId, projectId, run, told, world } = await contentWorld()
    const given = [
      { ...plainItem, title: "One", tags: ["a"], metadata: { b: 1 } },
      { ...plainItem, title: "Two", is_premium: true, media_url: "asset:1", category: "c" },
    ]
    const rows = await run(items.insert(projectId, libraryId, given))
    expect(rows).toEqual(
      given.map((item, at) => ({
        ...{ ...item, id: rows[at]?.id, library_id: libraryId, sort_order: at + 1, is_active: true },
        ...{ owner_app_user_id: null, moderation: "shown" },
        ...{ created_at: world.clock.now(), updated_at: world.clock.now() },
      })),
    )
    for (const row of rows) expect(await find(row.id)).toEqual(row)
    expect((await run(items.insert(projectId, libraryId, [plainItem])))[0]?.sort_order).toBe(3)
    expect(told()).toEqual([])
  })

  it("is imported in one go, 5,000 at once [E11]", async () => {
    const { items, libraryId, projectId, run, code } = await contentWorld()
    const many = Array.from({ length: mostImported }, (_, at) => ({ ...plainItem, title: `${at}` }))
    expect(await run(items.importAll(projectId, libraryId, many))).toEqual({ imported: 5_000 })
    const { rows, total } = await run(items.list(projectId, libraryId, { limit: 3, offset: 4_997 }))
    expect([rows.map(({ title, sort_order }) => [title, sort_order]), total]).toEqual([
      [
        ["4997", 4998],
        ["4998", 4999],
        ["4999", 5000],
      ],
      5_000,
    ])
    expect(await code(items.importAll(projectId, anId(), [plainItem]))).toBe("NOT_FOUND")
    expect(await code(items.insert(projectId, anId(), [plainItem]))).toBe("NOT_FOUND")
  })

  it("is listed where it is active, whatever moderation says [service.md: content]", async () => {
    const { code, items, libraryId, projectId, run, stored } = await contentWorld()
    const held = await stored({ sort_order: 2, moderation: "held" })
    const plain = await stored({ sort_order: 1 })
    await stored({ sort_order: 3, is_active: false })
    const page = { limit: 50, offset: 0 }
    expect(await run(items.list(projectId, libraryId, page))).toEqual({ rows: [plain, held], total: 2 })
    expect(await code(items.list(projectId, anId(), page))).toBe("NOT_FOUND")
  })

  it("keeps its number without gaps, whoever else writes at once [I1.2]", async () => {
    const { create, items, libraryId, projectId, run, transact, user } = await contentWorld()
    const users = await Promise.all([user(), user(), user()])
    const writers = Array.from({ length: 20 }, (_, turn) => {
      if (turn % 3 === 0) return run(Effect.asVoid(create({}, users[turn % users.length])))
      const some = Array.from({ length: turn }, () => plainItem)
      if (turn % 3 === 1) return run(Effect.asVoid(items.insert(projectId, libraryId, some)))
      return run(Effect.asVoid(items.importAll(projectId, libraryId, some)))
    })
    await Promise.all(writers)
    const all = await transact((db) => db.contentItems.list({ library_id: libraryId }, [["sort_order", "asc"]]))
    expect(all.map(({ sort_order }) => sort_order)).toEqual(all.map((_, at) => at + 1))
  })
})

describe("what developers change", () => {
  it("are the fields that are given, null clears, and nothing given changes nothing [A5]", async () => {
    const { code, items, projectId, run, stored, told, world } = await contentWorld()
    const item = await stored({ title: "T", media_url: "m", category: "c", tags: ["d"], metadata: { e: 1 } })
    const update = (changes: object) => items.update(projectId, item.id, changes)
    await world.advance("1 minute")
    expect(await run(update({}))).toEqual(item)
    const cleared = { title: null, media_url: null, category: null, tags: [], metadata: {}, sort_order: -5 }
    const more = { is_premium: true, is_active: false }
    expect(await run(update({ ...cleared, ...more }))).toEqual({
      ...{ ...item, ...cleared, ...more, updated_at: world.clock.now() },
    })
    expect(told()).toEqual([["noteChange", "content_item", item.id]])
    expect(await code(items.update(projectId, anId(), {}))).toBe("NOT_FOUND")
    await run(items.remove(projectId, item.id))
    await run(items.remove(projectId, item.id))
    expect(await code(update({}))).toBe("NOT_FOUND")
  })

  it.each([
    ["a title", { title: "New" }, "shown", true],
    ["a body", { body: "New" }, "shown", true],
    ["a category", { category: "new" }, "shown", true],
    ["tags", { tags: ["new"] }, "shown", true],
    ["an address", { media_url: "https://new.example" }, "shown", true],
    ["the text that it has", { title: "T", tags: ["d"] }, "shown", false],
    ["is_active", { is_active: true }, "shown", false],
    ["metadata", { metadata: { a: 1 } }, "held", false],
    ["is_premium", { is_premium: true }, "held", false],
    ["sort_order", { sort_order: 9 }, "held", false],
  ])("with %s show an item or not, and let it be reported again or not [I6.3, I6.4]", async (...given) => {
    const [, changes, moderation, isNoted] = given
    const { items, projectId, run, stored, told, userId } = await contentWorld()
    const { id } = await stored({ title: "T", tags: ["d"], owner_app_user_id: userId, moderation: "held" })
    expect(await run(items.update(projectId, id, changes))).toMatchObject({ ...changes, moderation })
    expect(told()).toEqual(isNoted ? [["noteChange", "content_item", id]] : [])
  })
})

describe("libraries", () => {
  it("are made, listed with their items, and changed in what is given [I1.1]", async () => {
    const { code, libraries, library, libraryId, projectId, run, stored, transact, world } = await contentWorld()
    await transact((db) => db.contentLibraries.remove({}))
    const schema = { type: "object" }
    const made = await run(libraries.create(projectId, { name: "Tips", description: "Daily", content_schema: schema }))
    expect(made).toEqual({
      ...{ id: made.id, name: "Tips", description: "Daily", content_schema: schema, created_at: world.clock.now() },
    })
    await stored({ library_id: made.id, is_active: false })
    const page = await run(libraries.list(projectId, { limit: 10, offset: 0 }))
    expect(page).toEqual({ rows: [{ ...made, item_count: 1 }], total: 1 })
    const cleared = { description: null, content_schema: null }
    expect(await run(libraries.update(projectId, made.id, cleared))).toEqual({ ...made, ...cleared })
    expect(await run(libraries.update(projectId, made.id, { name: "Tricks" }))).toMatchObject({ name: "Tricks" })
    expect(await code(libraries.update(projectId, libraryId, {}))).toBe("NOT_FOUND")
    expect(await library()).not.toBe(libraryId)
  })

  it("go with their items, also with many, and take no others [I1.1]", async () => {
    const { find, items, library, libraryId, projectId, removeLibrary, run, stored, transact } = await contentWorld()
    const kept = await stored({ library_id: await library() })
    for (const count of [mostImported, mostImported, 3])
      await run(items.importAll(projectId, libraryId, Array(count).fill(plainItem)))
    await run(removeLibrary(projectId, libraryId))
    await run(removeLibrary(projectId, libraryId))
    const left = await transact((db) => db.contentItems.list({}, []))
    expect(left).toEqual([kept])
    expect(await find(kept.id)).toEqual(kept)
  })

  it("that were removed in part are there until a further removal takes the rest", async () => {
    const { code, items, libraries, libraryId, projectId, run, transact, world } = await contentWorld()
    for (const count of [mostImported, 2])
      await run(items.importAll(projectId, libraryId, Array(count).fill(plainItem)))
    const broken = fault()
    const tenants = withFault(world.tenants, (db) => {
      const remove: typeof db.contentLibraries.remove = (where) =>
        broken.shouldFail() ? Effect.die(new Error("The machine is gone.")) : db.contentLibraries.remove(where)
      return { ...db, contentLibraries: { ...db.contentLibraries, remove } }
    })
    const removeLibrary = makeRemoveLibrary({ tenants })
    broken.arm()
    await expect(run(removeLibrary(projectId, libraryId))).rejects.toThrow("The machine is gone.")
    const left = await transact((db) => db.contentItems.list({ library_id: libraryId }, [["sort_order", "asc"]]))
    expect(left).toHaveLength(2)
    expect(await run(libraries.update(projectId, libraryId, {}))).toMatchObject({ id: libraryId })
    await run(removeLibrary(projectId, libraryId))
    expect(await code(libraries.update(projectId, libraryId, {}))).toBe("NOT_FOUND")
    expect(await transact((db) => db.contentItems.list({}, []))).toEqual([])
  })
})
