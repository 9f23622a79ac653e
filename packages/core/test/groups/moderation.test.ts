import { moderatedGroups } from "@hearth/core/groups"
import { anId } from "@hearth/testing"
import { describe, expect, it } from "vitest"
import { all, groupsWorld } from "./world.ts"

describe("moderation of groups", () => {
  it("reads name, description and the address of what users write [I6.1]", async () => {
    const { create, change, user, told, run } = await groupsWorld()
    const ada = await user()
    const address = "https://example.com/a"
    const { id } = await create(ada, { name: "Name", description: "Text", avatar_url: address })
    const content = { content_type: "group", content_id: id, app_user_id: ada }
    expect(told()).toEqual([
      ["check", ["Name", "Text"], [address]],
      ["record", null, content, null],
    ])
    await run(change(ada, id, { description: "flag", metadata: { name: "hold" } }))
    expect(told()).toEqual([
      ["check", [null, "flag"], [null]],
      ["record", "flag", content, "shown"],
    ])
    // The same text again is no change, so it does not come up again.
    await run(change(ada, id, { name: "Name", description: "flag", avatar_url: address, is_public: true }))
    expect(told().map(([name]) => name)).toEqual(["check"])
  })

  it("refuses what a rule refuses, and writes nothing [I6.1]", async () => {
    const { groups, projectId, plain, create, change, user, code, stored, run } = await groupsWorld()
    const ada = await user()
    const before = await create(ada)
    expect(await code(groups.create(projectId, ada, { ...plain, name: "reject" }))).toBe("CONTENT_REJECTED")
    expect(await code(change(ada, before.id, { description: "reject", max_members: 7 }))).toBe("CONTENT_REJECTED")
    expect(await stored(before.id)).toEqual(before)
    expect((await run(groups.own(projectId, ada, all))).total).toBe(1)
  })

  it("tells nobody what its rules are who may not change the group [I2.4]", async () => {
    const { staffed, change, told, code } = await groupsWorld()
    const [open, shut] = [await staffed(), await staffed({ is_public: false })]
    told()
    expect(await code(change(open.member, open.id, { name: "reject" }))).toBe("FORBIDDEN")
    expect(await code(change(shut.stranger, shut.id, { name: "reject" }))).toBe("NOT_FOUND")
    expect(told()).toEqual([])
  })

  it("hides a held group from all but its members; a clean text does not show it, an admin's PATCH does [I6.3]", async () => {
    const { staffed, groups, memberships, admin, change, projectId, run, code, told, stored } = await groupsWorld()
    const { id, owner, member, stranger } = await staffed()
    await run(change(owner, id, { name: "hold" }))
    expect(await code(groups.find(projectId, stranger, id))).toBe("NOT_FOUND")
    expect(await code(memberships.join(projectId, stranger, id))).toBe("NOT_PUBLIC")
    expect((await run(groups.search(projectId, "", all))).rows).toEqual([])
    expect(await run(groups.find(projectId, member, id))).toMatchObject({ name: "hold", is_public: true })
    await run(change(owner, id, { name: "Clean", is_public: true }))
    expect(await stored(id)).toMatchObject({ name: "Clean", moderation: "held" })
    told()
    await run(admin.update(projectId, id, { metadata: {}, max_members: 9 }))
    expect(await stored(id)).toMatchObject({ moderation: "held", max_members: 9 })
    await run(admin.update(projectId, id, { is_public: true }))
    expect(await stored(id)).toMatchObject({ moderation: "shown" })
    expect(told()).toEqual([])
    await run(admin.update(projectId, id, { name: "hold reject flag" }))
    expect(told()).toEqual([["noteChange", "group", id]])
    expect(await code(groups.find(projectId, stranger, id))).toBe("ok")
  })

  it("takes the texts from a rejected group, which no PATCH of a client shows again [I6.3]", async () => {
    const { staffed, groups, admin, change, projectId, run, code, stored, transact, world } = await groupsWorld()
    const avatar_url = "https://example.com/a"
    const { id, owner, stranger } = await staffed({ name: "Bad", description: "Worse", avatar_url })
    world.clock.advance("1 minute")
    await transact((db) => moderatedGroups.hide(db, id, world.clock.now()))
    const gone = { name: "Group", description: null, avatar_url: null, is_public: false, moderation: "rejected" }
    expect(await stored(id)).toMatchObject({ ...gone, member_count: 3, updated_at: world.clock.now() })
    await run(change(owner, id, { name: "Good", is_public: true }))
    expect(await stored(id)).toMatchObject({ name: "Good", is_public: true, moderation: "rejected" })
    expect(await code(groups.find(projectId, stranger, id))).toBe("NOT_FOUND")
    await run(admin.update(projectId, id, { name: "Good" }))
    expect(await run(groups.find(projectId, stranger, id))).toMatchObject({ name: "Good" })
  })

  it("finds, shows and previews groups, and knows who sees them [I6.2, I6.4, I6.5]", async () => {
    const { staffed, create, change, run, transact, stored, world } = await groupsWorld()
    const { id, owner, officer, stranger } = await staffed({ description: "Text" })
    const submission = {
      ...{ content_type: "group", content_id: id, app_user_id: owner },
      ...{ texts: ["Runners", "Text"], urls: [null] },
    }
    const find = (lock: boolean, groupId = id) => transact((db) => moderatedGroups.find(db, groupId, { lock }))
    for (const lock of [true, false]) {
      expect(await find(lock)).toEqual({ ...submission, state: "shown" })
      expect(await find(lock, anId())).toBeNull()
    }
    const sees = (userId: string, groupId = id) => transact((db) => moderatedGroups.isVisibleTo(db, groupId, userId))
    expect([await sees(owner), await sees(stranger), await sees(owner, anId())]).toEqual([true, true, false])
    await run(change(officer, id, { name: "hold" }))
    expect([await sees(officer), await sees(stranger)]).toEqual([true, false])
    await transact((db) => moderatedGroups.show(db, id, world.clock.now()))
    expect([await sees(stranger), (await stored(id))?.moderation]).toEqual([true, "shown"])
    world.clock.advance("1 second")
    const young = await create(owner, { name: "Young" })
    const newest = await transact((db) => moderatedGroups.newest(db, 2))
    expect(newest.map((group) => group.id)).toEqual([young.id, id])
    expect(await transact((db) => moderatedGroups.newest(db, 1))).toHaveLength(1)
  })
})
