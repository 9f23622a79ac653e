import { anId } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { all, groupsWorld } from "./world.ts"

describe("a group", () => {
  it("is made with its owner as its only member, and one event [I2.6]", async () => {
    const { create, user, roles, events, stored, plain, world } = await groupsWorld()
    const ada = await user()
    const group = await create(ada, { name: "Rowers", metadata: { sport: "rowing" } })
    const now = world.clock.now()
    expect(group).toMatchObject({ ...plain, name: "Rowers", metadata: { sport: "rowing" }, owner_id: ada })
    expect(await stored(group.id)).toEqual({
      ...{ ...plain, name: "Rowers", metadata: { sport: "rowing" }, id: group.id, owner_id: ada, member_count: 1 },
      ...{ moderation: "shown", created_at: now, updated_at: now },
    })
    expect(await roles(group.id)).toEqual({ [ada]: "owner" })
    expect(await events(ada)).toEqual([["group_created", group.id]])
  })

  it("is seen by everybody where it is public, by its members where it is not [I2.3]", async () => {
    const { staffed, groups, projectId, run, code, memberships } = await groupsWorld()
    const open = await staffed()
    const shut = await staffed({ is_public: false })
    const find = (userId: string, id: string) => groups.find(projectId, userId, id)
    expect(await run(find(open.stranger, open.id))).toMatchObject({ id: open.id, member_count: 3, role: null })
    expect(await run(find(open.officer, open.id))).toMatchObject({ role: "admin" })
    expect(await run(find(shut.owner, shut.id))).toMatchObject({ role: "owner", member_count: 3 })
    expect(await run(find(shut.member, shut.id))).toMatchObject({ role: "member" })
    expect(await code(find(shut.stranger, shut.id))).toBe("NOT_FOUND")
    expect(await code(find(open.owner, anId()))).toBe("NOT_FOUND")
    const list = (userId: string, id: string) => memberships.members(projectId, userId, id, all)
    expect((await run(list(open.stranger, open.id))).total).toBe(3)
    expect((await run(list(shut.member, shut.id))).rows.map(({ role }) => role)).toEqual(["owner", "admin", "member"])
    expect(await code(list(shut.stranger, shut.id))).toBe("NOT_FOUND")
  })

  it("is listed for its members with their role, the last joined first", async () => {
    const { staffed, groups, projectId, run, join, world } = await groupsWorld()
    const one = await staffed()
    world.clock.advance("1 second")
    const two = await staffed({ name: "Second" })
    await run(join(two.owner, one.id))
    world.clock.advance("1 second")
    const own = await run(groups.own(projectId, two.owner, all))
    expect(own.total).toBe(2)
    expect(own.rows.map(({ role, groups: { id, member_count } }) => [role, id, member_count])).toEqual([
      ["member", one.id, 4],
      ["owner", two.id, 3],
    ])
    expect(await run(groups.own(projectId, one.stranger, all))).toEqual({ rows: [], total: 0 })
  })

  it("is changed by its owner and admins only [I2.4]", async () => {
    const { staffed, change, run, code, stored, world } = await groupsWorld()
    const { id, owner, officer, member, stranger } = await staffed()
    world.clock.advance("1 minute")
    const changed = await run(change(officer, id, { name: "New", description: "Long", max_members: 1, metadata: {} }))
    expect(changed).toMatchObject({ name: "New", description: "Long", max_members: 1, updated_at: world.clock.now() })
    expect(await run(change(owner, id, { description: null }))).toMatchObject({ name: "New", description: null })
    const before = await stored(id)
    expect(await run(change(owner, id, {}))).toEqual(before)
    for (const each of [member, stranger]) expect(await code(change(each, id, { name: "Mine" }))).toBe("FORBIDDEN")
    expect(await code(change(owner, anId(), { name: "Mine" }))).toBe("NOT_FOUND")
    expect(await stored(id)).toEqual(before)
    await run(change(owner, id, { is_public: false }))
    expect(await code(change(stranger, id, { name: "Mine" }))).toBe("NOT_FOUND")
    expect(await code(change(member, id, { name: "Mine" }))).toBe("FORBIDDEN")
  })

  it("is removed with its members by its owner only [I2.4]", async () => {
    const { staffed, groups, projectId, run, code, stored } = await groupsWorld()
    const { id, owner, officer, member, stranger } = await staffed()
    const remove = (userId: string) => code(groups.remove(projectId, userId, id))
    for (const each of [officer, member, stranger]) expect(await remove(each)).toBe("FORBIDDEN")
    expect(await remove(owner)).toBe("ok")
    expect(await stored(id)).toBeNull()
    expect(await run(groups.own(projectId, member, all))).toEqual({ rows: [], total: 0 })
    expect(await remove(owner)).toBe("NOT_FOUND")
    const shut = await staffed({ is_public: false })
    expect(await code(groups.remove(projectId, shut.stranger, shut.id))).toBe("NOT_FOUND")
  })

  it("is handed over by its owner to a member; who owned it is an admin then [I2.1, I2.4]", async () => {
    const { staffed, groups, projectId, run, code, roles } = await groupsWorld()
    const { id, owner, officer, member, stranger } = await staffed()
    const transfer = (from: string, to: string) => groups.transfer(projectId, from, id, to)
    for (const each of [officer, member, stranger]) expect(await code(transfer(each, each))).toBe("FORBIDDEN")
    expect(await code(transfer(owner, stranger))).toBe("NOT_FOUND")
    expect(await code(transfer(owner, anId()))).toBe("NOT_FOUND")
    expect(await run(transfer(owner, owner))).toMatchObject({ id, owner_id: owner })
    expect(await run(transfer(owner, member))).toMatchObject({ id, owner_id: member })
    expect(await roles(id)).toEqual({ [owner]: "admin", [officer]: "admin", [member]: "owner" })
    expect(await code(transfer(owner, owner))).toBe("FORBIDDEN")
  })
})

describe("quotas of groups", () => {
  it("let a user own 1,000, on both planes and by transfer [I0.2]", async () => {
    const { world, create, groups, admin, projectId, run, code, user, plain, transact } = await groupsWorld()
    const [ada, bob] = [await user(), await user()]
    const mine = await create(ada)
    const row = { ...mine, name: "Other", member_count: 0 }
    const ids = Array.from({ length: 999 }, () => anId())
    await transact((db) => Effect.orDie(Effect.forEach(ids, (id) => db.groups.insert({ ...row, id }))))
    const quota = "QUOTA_EXCEEDED"
    expect(await code(groups.create(projectId, ada, plain))).toBe(quota)
    expect(await code(admin.create(projectId, { ...plain, owner_id: ada }))).toBe(quota)
    const theirs = await create(bob)
    await run(admin.addMember(projectId, theirs.id, { app_user_id: ada, role: "member" }))
    expect(await code(groups.transfer(projectId, bob, theirs.id, ada))).toBe(quota)
    expect(await code(admin.changeRole(projectId, theirs.id, ada, "owner"))).toBe(quota)
    await transact((db) => db.groups.remove({ id: ids[0] as string }))
    expect(await code(groups.transfer(projectId, bob, theirs.id, ada))).toBe("ok")
    expect(await code(groups.create(projectId, ada, plain))).toBe(quota)
    expect(world.deaths).toEqual([])
  })

  it("let a user be a member of 5,000 [I0.2]", async () => {
    const { create, groups, memberships, admin, invites, projectId, run, code, user, plain, transact } =
      await groupsWorld()
    const [ada, bob] = [await user(), await user()]
    const target = await create(bob)
    const { code: invite } = await run(
      invites.create(projectId, bob, target.id, { expires_in_hours: 1, max_uses: null }),
    )
    const now = target.created_at
    const ids = Array.from({ length: 5_000 }, () => anId())
    await transact((db) =>
      Effect.orDie(
        Effect.forEach(ids, (id) =>
          Effect.andThen(
            db.groups.insert({ ...target, id, member_count: 0 }),
            db.groupMembers.add({ id: anId(), group_id: id, app_user_id: ada, is_admin: false, joined_at: now }),
          ),
        ),
      ),
    )
    const quota = "QUOTA_EXCEEDED"
    expect(await code(memberships.join(projectId, ada, target.id))).toBe(quota)
    expect(await code(memberships.joinByCode(projectId, ada, invite))).toBe(quota)
    expect(await code(admin.addMember(projectId, target.id, { app_user_id: ada, role: "member" }))).toBe(quota)
    expect(await code(groups.create(projectId, ada, plain))).toBe(quota)
    // Who is a member already is answered all the same.
    expect(await code(memberships.join(projectId, ada, ids[0] as string))).toBe("ok")
    await run(memberships.leave(projectId, ada, ids[0] as string))
    expect(await code(memberships.join(projectId, ada, target.id))).toBe("ok")
  })
})

it("lets a user make 60 groups an hour, and a developer as many as they like [I0.1]", async () => {
  const { groups, admin, projectId, code, user, plain, world } = await groupsWorld()
  const ada = await user()
  const create = () => code(groups.create(projectId, ada, plain))
  for (let n = 0; n < 60; n += 1) expect(await create()).toBe("ok")
  expect(await create()).toBe("RATE_LIMIT_EXCEEDED")
  expect(await code(admin.create(projectId, { ...plain, owner_id: ada }))).toBe("ok")
  expect(await code(groups.create(projectId, await user(), plain))).toBe("ok")
  world.clock.advance("1 hour")
  expect(await create()).toBe("ok")
})
