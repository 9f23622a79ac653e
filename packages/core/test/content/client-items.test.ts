import { moderatedItems } from "@hearth/core/content"
import { anId } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { contentWorld } from "./world.ts"

describe("what users write", () => {
  it("comes last in its library, is active, and theirs [I1.2]", async () => {
    const { create, find, libraryId, run, stored, userId, world } = await contentWorld()
    await stored({ sort_order: 41 })
    const given = { title: "T", body: "B", media_url: "https://a.example/b", category: "c", tags: ["d"] }
    const item = await run(create({ ...given, metadata: { e: 1 } }))
    expect(item).toEqual({
      ...{ ...given, metadata: { e: 1 }, id: item.id, library_id: libraryId, sort_order: 42 },
      ...{ is_premium: false, is_active: true, owner_app_user_id: userId, moderation: "shown" },
      ...{ created_at: world.clock.now(), updated_at: world.clock.now() },
    })
    expect(await find(item.id)).toEqual(item)
  })

  it("is read by rules: title, body, category and tags, and the address for links [I6.1]", async () => {
    const { change, create, run, told, userId } = await contentWorld()
    const given = { title: "T", body: "B", media_url: "https://a.example/b", category: "c", tags: ["d", "e"] }
    const { id } = await run(create(given))
    const content = { content_type: "content_item", content_id: id, app_user_id: userId }
    expect(told()).toEqual([
      ["check", ["T", "B", "c", "d", "e"], ["https://a.example/b"]],
      ["record", null, content, null],
    ])
    await run(change(id, { tags: ["flag"], is_active: false }))
    expect(told()).toEqual([
      ["check", [null, null, null, "flag"], [null]],
      ["noteChange", "content_item", id],
      ["record", "flag", content, "shown"],
    ])
    await run(change(id, { metadata: { a: "reject" }, is_active: true }))
    expect(told()).toEqual([])
  })

  it("stays as a moderator left it where it is sent again as it is [I6.3]", async () => {
    const { change, create, run, told, transact } = await contentWorld()
    const { id } = await run(create({ title: "hold", tags: ["a"] }))
    await transact((db) => moderatedItems.show(db, id, new Date(0)))
    told()
    const again = { title: "hold", tags: ["a"], metadata: { a: 1 } }
    expect(await run(change(id, again))).toMatchObject({ moderation: "shown", metadata: { a: 1 } })
    expect(told().map(([name]) => name)).toEqual(["check"])
    expect(await run(change(id, { title: "hold it" }))).toMatchObject({ moderation: "held" })
    expect(await run(change(id, { title: "hold it", body: "B" }))).toMatchObject({ moderation: "held" })
  })

  it("is not stored where a rule refuses it, nor is a change [I6.1]", async () => {
    const { change, code, create, find, run, seenBy, userId } = await contentWorld()
    expect(await code(create({ body: "reject" }))).toBe("CONTENT_REJECTED")
    expect(await seenBy(userId)).toEqual([])
    const item = await run(create())
    expect(await code(change(item.id, { title: "reject" }))).toBe("CONTENT_REJECTED")
    expect(await find(item.id)).toEqual(item)
  })

  it("is refused for a library that is not there, and for a user who is gone", async () => {
    const { code, create, run, projectId, user, world } = await contentWorld()
    expect(await code(create({}, undefined, anId()))).toBe("NOT_FOUND")
    const gone = await user()
    await run(world.core.users.remove(projectId, gone))
    expect(await code(create({}, gone))).toBe("INVALID_TOKEN")
    expect(await code(create({}, gone, anId()))).toBe("INVALID_TOKEN")
  })

  it("has room for 5,000 items of a user in all libraries, also of calls at once [I0.2]", async () => {
    const { code, create, items, library, libraryId, projectId, run, transact, user, userId } = await contentWorld()
    const other = await library()
    const many = Array.from({ length: 4_998 }, () => ({ ...anOwned(other, userId), id: anId() }))
    await transact((db) => db.contentItems.append(other, many))
    // Each into a library of its own: what keeps them apart is the lock of the user.
    const libraries = [other, libraryId, await library(), await library()]
    const codes = await Promise.all(libraries.map((into) => code(create({}, userId, into))))
    expect(codes.sort()).toEqual(["QUOTA_EXCEEDED", "QUOTA_EXCEEDED", "ok", "ok"])
    expect(await code(create({}, await user()))).toBe("ok")
    await run(items.remove(projectId, many[0]?.id ?? ""))
    expect(await code(create())).toBe("ok")
    expect(await code(create())).toBe("QUOTA_EXCEEDED")
  })
})

const anOwned = (library_id: string, owner_app_user_id: string) => ({
  ...{ library_id, title: null, body: "B", media_url: null, category: null, tags: [], metadata: {} },
  ...{ is_premium: false, is_active: true, owner_app_user_id, moderation: "shown" as const },
  ...{ created_at: new Date(0), updated_at: new Date(0) },
})

describe("what users change and remove", () => {
  it("are the fields that are given, null clears, and nothing given changes nothing [A5]", async () => {
    const { change, create, run, told, world } = await contentWorld()
    const item = await run(create({ title: "T", media_url: "https://a.example", category: "c", tags: ["d"] }))
    told()
    await world.advance("1 minute")
    expect(await run(change(item.id, {}))).toEqual(item)
    expect(told()).toEqual([])
    const cleared = { title: null, media_url: null, category: null, tags: [], metadata: { a: 1 }, is_active: false }
    expect(await run(change(item.id, cleared))).toEqual({ ...item, ...cleared, updated_at: world.clock.now() })
    expect(await run(change(item.id, { body: "C" }))).toMatchObject({ ...cleared, body: "C" })
  })

  it("are their own items: those of others are not there [errors, note 3]", async () => {
    const { change, clients, code, find, projectId, run, stored, user, userId, create } = await contentWorld()
    const other = await user()
    const foreign = await run(create({}, other))
    const developers = await stored()
    const remove = (id: string) => clients.remove(projectId, userId, id)
    for (const id of [foreign.id, developers.id, anId()]) {
      expect(await code(change(id, { body: "mine" }))).toBe("NOT_FOUND")
      expect(await code(change(id, {}))).toBe("NOT_FOUND")
      expect(await code(remove(id))).toBe("NOT_FOUND")
    }
    expect([await find(foreign.id), await find(developers.id)]).toEqual([foreign, developers])
    const own = await run(create())
    await run(remove(own.id))
    expect(await find(own.id)).toBeNull()
    expect(await code(remove(own.id))).toBe("NOT_FOUND")
  })

  it("hide the whole where a rule holds them, and never undo what moderators did [I6.3]", async () => {
    const { change, create, run, transact } = await contentWorld()
    const item = await run(create())
    expect(await run(change(item.id, { title: "hold" }))).toMatchObject({ moderation: "held", is_active: true })
    expect(await run(change(item.id, { title: "clean" }))).toMatchObject({ moderation: "held" })
    await transact((db) => Effect.orDie(db.contentItems.update(item.id, { moderation: "rejected", is_active: false })))
    const changes = { title: "clean", is_active: true }
    expect(await run(change(item.id, changes))).toMatchObject({ ...changes, moderation: "rejected" })
  })
})

describe("what users see", () => {
  it("are active items that are shown, and their own that are held [I6.3]", async () => {
    const { clients, code, projectId, run, seenBy, stored, user, userId } = await contentWorld()
    const other = await user()
    const own = { owner_app_user_id: userId }
    const rows = {
      plain: await stored({ sort_order: 1 }),
      shown: await stored({ ...own, sort_order: 2, category: "a" }),
      held: await stored({ ...own, sort_order: 3, moderation: "held", category: "a" }),
      rejected: await stored({ ...own, sort_order: 4, moderation: "rejected" }),
      inactive: await stored({ ...own, sort_order: 5, is_active: false }),
      orphan: await stored({ sort_order: 6, moderation: "held" }),
    }
    const getBy = (as: string) => Promise.all(Object.values(rows).map(({ id }) => code(clients.get(projectId, as, id))))
    expect(await getBy(userId)).toEqual(["ok", "ok", "ok", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"])
    expect(await getBy(other)).toEqual(["ok", "ok", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"])
    expect(await seenBy(userId)).toEqual([rows.plain.id, rows.shown.id, rows.held.id])
    expect(await seenBy(other)).toEqual([rows.plain.id, rows.shown.id])
    expect(await seenBy(other, "a")).toEqual([rows.shown.id])
    expect(await seenBy(other, "")).toEqual([])
    expect(await run(clients.get(projectId, other, rows.plain.id))).toEqual(rows.plain)
    const missing = clients.list(projectId, userId, anId(), { limit: 1, offset: 0 })
    expect([await code(missing), await code(clients.get(projectId, userId, anId()))]).toEqual(
      Array(2).fill("NOT_FOUND"),
    )
  })
})

describe("users who go", () => {
  it("leave their items, which are nobody's then [I0.4]", async () => {
    const { change, code, create, find, projectId, run, user, world } = await contentWorld()
    const gone = await user()
    const items = await Promise.all(Array.from({ length: 3 }, () => run(create({}, gone))))
    await run(world.core.users.remove(projectId, gone))
    for (const { id } of items) {
      expect(await find(id)).toMatchObject({ owner_app_user_id: null, is_active: true, moderation: "shown" })
      expect(await code(change(id, { body: "B" }))).toBe("NOT_FOUND")
    }
  })

  it("leave all of them, in pieces of 500 [I0.4]", async () => {
    const { library, projectId, run, transact, user, world } = await contentWorld()
    const [gone, other] = [await user(), await library()]
    const many = Array.from({ length: 1_001 }, () => ({ ...anOwned(other, gone), id: anId() }))
    await transact((db) => db.contentItems.append(other, many))
    await run(world.core.users.remove(projectId, gone))
    const left = await transact((db) => db.contentItems.list({ library_id: other }, []))
    expect(left).toHaveLength(1_001)
    expect(new Set(left.map(({ owner_app_user_id }) => owner_app_user_id))).toEqual(new Set([null]))
  })
})
