import { anId } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { all, groupsWorld } from "./world.ts"

describe("joining", () => {
  it("makes a member once: a member who joins again is answered the row as it is [I2.3]", async () => {
    const { staffed, join, run, events, roles, world } = await groupsWorld()
    const { id, owner, stranger } = await staffed()
    const joined_at = world.clock.now()
    const row = { group_id: id, app_user_id: stranger, role: "member", joined_at }
    expect(await run(join(stranger, id))).toEqual(row)
    world.clock.advance("1 hour")
    expect(await run(join(stranger, id))).toEqual(row)
    expect(await run(join(owner, id))).toMatchObject({ role: "owner" })
    expect(Object.keys(await roles(id))).toHaveLength(4)
    expect(await events(stranger)).toEqual([["group_joined", id]])
  })

  it("is refused by what is not there, by private and held groups, and by full ones [I2.2, I2.3]", async () => {
    const { staffed, join, change, run, code, stored } = await groupsWorld()
    const shut = await staffed({ is_public: false })
    expect(await code(join(shut.stranger, anId()))).toBe("NOT_FOUND")
    expect(await code(join(shut.stranger, shut.id))).toBe("NOT_PUBLIC")
    expect(await code(join(shut.member, shut.id))).toBe("ok")
    const held = await staffed({ name: "hold" })
    expect(await code(join(held.stranger, held.id))).toBe("NOT_PUBLIC")
    const full = await staffed({ max_members: 3 })
    expect(await code(join(full.stranger, full.id))).toBe("GROUP_FULL")
    expect(await code(join(full.member, full.id))).toBe("ok")
    // Lowered below the count, it only takes nobody any more.
    await run(change(full.owner, full.id, { max_members: 1 }))
    expect(await stored(full.id)).toMatchObject({ member_count: 3, max_members: 1 })
    expect(await code(join(full.stranger, full.id))).toBe("GROUP_FULL")
    await run(change(full.owner, full.id, { max_members: 4 }))
    expect(await code(join(full.stranger, full.id))).toBe("ok")
  })

  it("is refused to a user who is gone", async () => {
    const { staffed, join, code, run, world, projectId } = await groupsWorld()
    const { id, stranger } = await staffed()
    await run(world.core.users.remove(projectId, stranger))
    expect(await code(join(stranger, id))).toBe("INVALID_TOKEN")
  })

  it.each([30])("by %i at once for 5 places lets 5 in", async (count) => {
    const { create, user, join, code, stored, roles } = await groupsWorld()
    const group = await create(await user(), { max_members: 6 })
    const users: Array<string> = []
    for (let n = 0; n < count; n += 1) users.push(await user())
    const outcomes = await Promise.all(users.map((userId) => code(join(userId, group.id))))
    expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(5)
    expect(outcomes.filter((outcome) => outcome === "GROUP_FULL")).toHaveLength(count - 5)
    expect(await stored(group.id)).toMatchObject({ member_count: 6 })
    expect(Object.keys(await roles(group.id))).toHaveLength(6)
  })
})

describe("leaving", () => {
  it("is for everybody but the owner; who is no member has left already [I2.3]", async () => {
    const { staffed, memberships, projectId, run, code, stored, events, roles } = await groupsWorld()
    const shut = await staffed({ is_public: false })
    const leave = (userId: string, id = shut.id) => memberships.leave(projectId, userId, id)
    expect(await code(leave(shut.owner))).toBe("OWNER_CANNOT_LEAVE")
    for (const each of [shut.officer, shut.member, shut.member, shut.stranger])
      expect(await run(leave(each))).toEqual({ left: true })
    expect(await run(leave(shut.owner, anId()))).toEqual({ left: true })
    expect(await roles(shut.id)).toEqual({ [shut.owner]: "owner" })
    expect(await stored(shut.id)).toMatchObject({ member_count: 1 })
    expect(await events(shut.member)).toEqual([
      ["group_joined", shut.id],
      ["group_left", shut.id],
    ])
    expect(await events(shut.stranger)).toEqual([])
  })

  it("and coming back is told each time [I2.6]", async () => {
    const { staffed, memberships, join, projectId, run, events } = await groupsWorld()
    const { id, stranger } = await staffed()
    for (let n = 0; n < 2; n += 1) {
      await run(join(stranger, id))
      await run(memberships.leave(projectId, stranger, id))
    }
    const both = [
      ["group_joined", id],
      ["group_left", id],
    ]
    expect(await events(stranger)).toEqual([...both, ...both])
  })
})

describe("taking a member out", () => {
  it("is for the owner, and for admins where it is no admin [I2.4]", async () => {
    const { staffed, memberships, admin, projectId, code, user, run, roles, events } = await groupsWorld()
    const { id, owner, officer, member, stranger } = await staffed()
    const second = await user()
    await run(admin.addMember(projectId, id, { app_user_id: second, role: "admin" }))
    const kick = (by: string, whom: string) => code(memberships.kick(projectId, by, id, whom, false))
    for (const by of [member, stranger]) {
      expect(await kick(by, member)).toBe("FORBIDDEN")
      expect(await kick(by, owner)).toBe("FORBIDDEN")
      expect(await kick(by, anId())).toBe("FORBIDDEN")
    }
    expect(await kick(officer, second)).toBe("FORBIDDEN")
    expect(await kick(officer, officer)).toBe("FORBIDDEN")
    for (const by of [owner, officer]) {
      expect(await kick(by, owner)).toBe("OWNER_CANNOT_LEAVE")
      expect(await kick(by, stranger)).toBe("NOT_FOUND")
      expect(await kick(by, anId())).toBe("NOT_FOUND")
    }
    expect(await kick(officer, member)).toBe("ok")
    expect(await kick(owner, officer)).toBe("ok")
    expect(await roles(id)).toEqual({ [owner]: "owner", [second]: "admin" })
    expect((await events(member)).at(-1)).toEqual(["group_left", id])
    const shut = await staffed({ is_public: false })
    expect(await code(memberships.kick(projectId, shut.stranger, shut.id, shut.member, false))).toBe("NOT_FOUND")
  })

  it("lets them come back, unless they are banned; a developer lifts that [I2.5]", async () => {
    const { staffed, memberships, admin, invites, join, projectId, code, run, change } = await groupsWorld()
    const { id, owner, officer, member } = await staffed()
    const kick = (ban: boolean) => run(memberships.kick(projectId, owner, id, member, ban))
    const invite = await run(invites.create(projectId, officer, id, { expires_in_hours: 1, max_uses: null }))
    const byCode = () => code(memberships.joinByCode(projectId, member, invite.code))
    expect(await kick(false)).toEqual({ kicked: true })
    expect(await code(join(member, id))).toBe("ok")
    expect(await kick(true)).toEqual({ kicked: true })
    expect([await code(join(member, id)), await byCode()]).toEqual(["FORBIDDEN", "FORBIDDEN"])
    await run(change(owner, id, { is_public: false }))
    expect([await code(join(member, id)), await byCode()]).toEqual(["FORBIDDEN", "FORBIDDEN"])
    await run(change(owner, id, { max_members: 2 }))
    const add = () => admin.addMember(projectId, id, { app_user_id: member, role: "member" })
    expect(await code(add())).toBe("GROUP_FULL")
    expect(await byCode()).toBe("FORBIDDEN")
    await run(change(owner, id, { max_members: 3 }))
    expect(await run(add())).toMatchObject({ app_user_id: member, role: "member" })
    await run(memberships.leave(projectId, member, id))
    expect(await byCode()).toBe("ok")
  })
})

describe("what developers do with members", () => {
  it("adds users as admin or member, once [I2.5]", async () => {
    const { staffed, admin, projectId, run, code, user, events, world } = await groupsWorld()
    const { id, owner, member } = await staffed({ max_members: 4, is_public: false })
    const [ada, bob] = [await user(), await user()]
    const add = (app_user_id: string, role: "admin" | "member", groupId = id) =>
      admin.addMember(projectId, groupId, { app_user_id, role })
    expect(await code(add(ada, "member", anId()))).toBe("NOT_FOUND")
    expect(await code(add(anId(), "member"))).toBe("USER_NOT_FOUND")
    const row = { group_id: id, app_user_id: ada, role: "admin", joined_at: world.clock.now() }
    expect(await run(add(ada, "admin"))).toEqual(row)
    world.clock.advance("1 second")
    expect(await run(add(ada, "member"))).toEqual(row)
    expect(await run(add(owner, "member"))).toMatchObject({ role: "owner" })
    expect(await run(add(member, "admin"))).toMatchObject({ role: "member" })
    expect(await code(add(bob, "member"))).toBe("GROUP_FULL")
    expect(await events(ada)).toEqual([["group_joined", id]])
  })

  it("changes roles; `owner` hands the group over, and the owner stays one until then [I2.1]", async () => {
    const { staffed, admin, projectId, run, code, roles, stored } = await groupsWorld()
    const { id, owner, officer, member, stranger } = await staffed()
    const change = (userId: string, role: "owner" | "admin" | "member") => admin.changeRole(projectId, id, userId, role)
    expect(await run(change(member, "admin"))).toMatchObject({ app_user_id: member, role: "admin" })
    expect(await run(change(officer, "member"))).toMatchObject({ role: "member" })
    expect(await code(change(stranger, "admin"))).toBe("NOT_FOUND")
    expect(await code(admin.changeRole(projectId, anId(), member, "admin"))).toBe("NOT_FOUND")
    for (const role of ["admin", "member"] as const) expect(await code(change(owner, role))).toBe("OWNER_CANNOT_LEAVE")
    expect(await run(change(owner, "owner"))).toMatchObject({ role: "owner" })
    expect(await run(change(officer, "owner"))).toMatchObject({ role: "owner" })
    expect(await roles(id)).toEqual({ [owner]: "admin", [member]: "admin", [officer]: "owner" })
    expect(await stored(id)).toMatchObject({ owner_id: officer, member_count: 3 })
    expect(await run(change(owner, "member"))).toMatchObject({ role: "member" })
  })

  it("removes members, but not the owner [I2.1]", async () => {
    const { staffed, admin, projectId, code, roles, stored, events } = await groupsWorld()
    const { id, owner, officer, member, stranger } = await staffed()
    const remove = (userId: string, groupId = id) => code(admin.removeMember(projectId, groupId, userId))
    expect(await remove(owner)).toBe("OWNER_CANNOT_LEAVE")
    for (const each of [officer, member, member, stranger, anId()]) expect(await remove(each)).toBe("ok")
    expect(await remove(owner, anId())).toBe("ok")
    expect(await roles(id)).toEqual({ [owner]: "owner" })
    expect(await stored(id)).toMatchObject({ member_count: 1 })
    expect((await events(officer)).at(-1)).toEqual(["group_left", id])
  })

  it("makes groups for users who are there, and removes them", async () => {
    const { admin, projectId, run, code, user, plain, stored, events } = await groupsWorld()
    const ada = await user()
    expect(await code(admin.create(projectId, { ...plain, owner_id: anId() }))).toBe("USER_NOT_FOUND")
    const group = await run(admin.create(projectId, { ...plain, owner_id: ada }))
    expect(await events(ada)).toEqual([["group_created", group.id]])
    expect((await run(admin.list(projectId, all))).rows).toEqual([group])
    for (let n = 0; n < 2; n += 1) expect(await code(admin.remove(projectId, group.id))).toBe("ok")
    expect(await stored(group.id)).toBeNull()
    expect(await code(admin.members(projectId, group.id, all))).toBe("NOT_FOUND")
  })
})

describe("a user who is deleted", () => {
  it("leaves all groups; owned ones pass to the longest-standing admin, else member, empty ones go [I2.6]", async () => {
    const { staffed, create, depart, transact, roles, stored, run, admin, projectId } = await groupsWorld()
    const { id, owner, officer, member } = await staffed()
    const alone = await create(owner)
    expect(await depart(owner)).toBe(false)
    await transact((db) => db.users.remove({ id: owner }))
    expect(await stored(alone.id)).toBeNull()
    expect(await roles(id)).toEqual({ [officer]: "owner", [member]: "member" })
    await run(admin.changeRole(projectId, id, member, "member"))
    await depart(officer)
    expect(await roles(id)).toEqual({ [member]: "owner" })
    await depart(member)
    expect(await stored(id)).toBeNull()
  })

  it("has left a group that others join, hand over and delete at the same time [I2.6]", async () => {
    const { staffed, groups, admin, memberships, depart, transact, user, code, stored, projectId } = await groupsWorld()
    for (let round = 0; round < 10; round += 1) {
      const { id, owner, officer, member } = await staffed({ max_members: 5 })
      const newcomers = [await user(), await user(), await user()]
      const go = (userId: string) =>
        transact((db) =>
          Effect.andThen(
            db.users.lock(userId, "update"),
            Effect.andThen(
              Effect.suspend(() => db.groups.depart(userId, new Date("2026-03-02T00:00:00Z"), 500)),
              db.users.remove({ id: userId }),
            ),
          ),
        )
      await Promise.all<unknown>([
        code(groups.transfer(projectId, owner, id, member)),
        go(round % 2 === 0 ? owner : member),
        code(memberships.kick(projectId, owner, id, member, true)),
        code(memberships.leave(projectId, officer, id)),
        code(admin.changeRole(projectId, id, officer, "owner")),
        code(admin.removeMember(projectId, id, member)),
        ...newcomers.map((userId) => code(memberships.join(projectId, userId, id))),
        ...(round % 3 === 2 ? [code(groups.remove(projectId, owner, id))] : []),
      ])
      const group = await stored(id)
      const members = await transact((db) => db.groupMembers.list({ group_id: id }, []))
      if (group === null) expect(members).toEqual([])
      else {
        expect(members).toHaveLength(group.member_count)
        expect(members.length).toBeLessThanOrEqual(5)
        expect(members.map(({ app_user_id }) => app_user_id)).toContain(group.owner_id)
      }
    }
    expect(await depart(anId())).toBe(false)
  })
})
