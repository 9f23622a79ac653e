import { moderatedItems } from "@hearth/core/content"
import { anId } from "@hearth/testing"
import { describe, expect, it } from "vitest"
import { contentWorld } from "./world.ts"

const later = new Date("2026-03-02T00:00:00.000Z")

describe("items for moderators", () => {
  it("are found with their author, their texts and their state, locked or not [I6.2]", async () => {
    const { stored, transact, userId } = await contentWorld()
    const item = await stored({
      ...{ title: "T", body: "B", category: "c", tags: ["d"], media_url: "https://a.example" },
      ...{ owner_app_user_id: userId, moderation: "held" },
    })
    const find = (id: string, lock: boolean) => transact((db) => moderatedItems.find(db, id, { lock }))
    for (const lock of [false, true]) {
      expect(await find(item.id, lock)).toEqual({
        ...{ content_type: "content_item", content_id: item.id, app_user_id: userId, state: "held" },
        ...{ texts: ["T", "B", "c", "d"], urls: ["https://a.example"] },
      })
      expect(await find(anId(), lock)).toBeNull()
    }
  })

  it("can be reported by whoever sees them [I6.4]", async () => {
    const { stored, transact, user, userId } = await contentWorld()
    const other = await user()
    const held = await stored({ owner_app_user_id: userId, moderation: "held" })
    const plain = await stored()
    const sees = (id: string, as: string) => transact((db) => moderatedItems.isVisibleTo(db, id, as))
    expect([await sees(plain.id, other), await sees(held.id, other), await sees(held.id, userId)]).toEqual([
      ...[true, false, true],
    ])
    expect(await sees(anId(), userId)).toBe(false)
  })

  it("are inactive once rejected, and active again once approved after that [I6.3]", async () => {
    const { find, stored, transact, userId } = await contentWorld()
    const held = await stored({ owner_app_user_id: userId, moderation: "held" })
    await transact((db) => moderatedItems.hide(db, held.id, later))
    const rejected = { ...held, is_active: false, moderation: "rejected", updated_at: later }
    expect(await find(held.id)).toEqual(rejected)
    await transact((db) => moderatedItems.show(db, held.id, later))
    expect(await find(held.id)).toEqual({ ...rejected, is_active: true, moderation: "shown" })
  })

  it("stay as inactive as their author made them when they are approved [I6.3]", async () => {
    const { find, stored, transact, userId } = await contentWorld()
    const { id } = await stored({ owner_app_user_id: userId, moderation: "held", is_active: false })
    await transact((db) => moderatedItems.show(db, id, later))
    expect(await find(id)).toMatchObject({ is_active: false, moderation: "shown" })
  })

  it("are those of users, the newest first, where a rule is tried [I6.5]", async () => {
    const { stored, transact, userId } = await contentWorld()
    const own = { owner_app_user_id: userId }
    const old = await stored({ ...own, created_at: new Date(1) })
    const young = await stored({ ...own, created_at: new Date(2), title: "Young" })
    await stored({ created_at: new Date(3) })
    const newest = (limit: number) => transact((db) => moderatedItems.newest(db, limit))
    expect(await newest(10)).toEqual([
      { id: young.id, created_at: new Date(2) },
      { id: old.id, created_at: new Date(1) },
    ])
    expect(await newest(1)).toHaveLength(1)
  })
})
