import { anId } from "@hearth/testing"
import { Option } from "effect"
import { describe, expect, it } from "vitest"
import { all, groupsWorld } from "./world.ts"

const forDay = { expires_in_hours: 24, max_uses: null }

describe("invites [I2.5]", () => {
  it("are made, listed and ended by the owner and admins", async () => {
    const { staffed, invites, projectId, run, code, world } = await groupsWorld()
    const { id, owner, officer, member, stranger } = await staffed({ is_public: false })
    const now = world.clock.now()
    const invite = await run(invites.create(projectId, officer, id, { expires_in_hours: 168, max_uses: 3 }))
    expect(invite).toMatchObject({ max_uses: 3, uses: 0, created_by: officer })
    expect(invite.expires_at).toEqual(new Date(now.getTime() + 168 * 3_600_000))
    expect(invite.code).toMatch(/^[A-HJKMNP-Z2-9]{16}$/)
    expect((await run(invites.list(projectId, owner, id, all))).rows).toEqual([invite])
    const calls = (userId: string, groupId = id) => [
      invites.create(projectId, userId, groupId, forDay),
      invites.list(projectId, userId, groupId, all),
      invites.end(projectId, userId, groupId, invite.code),
    ]
    for (const call of calls(member)) expect(await code(call)).toBe("FORBIDDEN")
    for (const call of [...calls(stranger), ...calls(owner, anId())]) expect(await code(call)).toBe("NOT_FOUND")
    const open = await staffed()
    for (const call of calls(open.stranger, open.id)) expect(await code(call)).toBe("FORBIDDEN")
    await run(invites.end(projectId, owner, id, invite.code.toLowerCase()))
    expect(await run(invites.list(projectId, owner, id, all))).toEqual({ rows: [], total: 0 })
    for (const gone of [invite.code, "no code", "A".repeat(16)]) await run(invites.end(projectId, owner, id, gone))
  })

  it("do not end by the owner of another group", async () => {
    const { staffed, invites, memberships, projectId, run, code } = await groupsWorld()
    const [one, two] = [await staffed({ is_public: false }), await staffed({ is_public: false })]
    const invite = await run(invites.create(projectId, one.owner, one.id, forDay))
    await run(invites.end(projectId, two.owner, two.id, invite.code))
    expect(await code(memberships.joinByCode(projectId, two.owner, invite.code))).toBe("ok")
  })

  it("let users into a private group, in any case, as often as they may; a member's call uses none", async () => {
    const { staffed, invites, memberships, projectId, run, code, user, events, roles } = await groupsWorld()
    const { id, owner, member, stranger } = await staffed({ is_public: false })
    const invite = await run(invites.create(projectId, owner, id, { expires_in_hours: 1, max_uses: 2 }))
    const join = (userId: string, text = invite.code) => memberships.joinByCode(projectId, userId, text)
    expect(await run(join(member))).toMatchObject({ app_user_id: member, role: "member" })
    expect(await run(join(stranger, invite.code.toLowerCase()))).toMatchObject({ group_id: id, role: "member" })
    expect(await run(join(stranger))).toMatchObject({ app_user_id: stranger })
    expect(await run(invites.list(projectId, owner, id, all))).toMatchObject({ rows: [{ uses: 1 }], total: 1 })
    expect(await code(join(await user()))).toBe("ok")
    expect(await code(join(await user()))).toBe("INVITE_NOT_FOUND")
    // It has ended, so it names no group any more, for members neither.
    expect(await code(join(member))).toBe("INVITE_NOT_FOUND")
    expect((await run(invites.list(projectId, owner, id, all))).total).toBe(0)
    expect(await events(stranger)).toEqual([["group_joined", id]])
    expect(Object.keys(await roles(id))).toHaveLength(5)
  })

  it("are not found once they have expired or ended, nor by other texts", async () => {
    const { staffed, invites, memberships, projectId, run, code, world } = await groupsWorld()
    const { id, owner, stranger } = await staffed({ is_public: false })
    const make = () => run(invites.create(projectId, owner, id, { expires_in_hours: 1, max_uses: null }))
    const join = (text: string) => code(memberships.joinByCode(projectId, stranger, text))
    const [expired, ended] = [await make(), await make()]
    await run(invites.end(projectId, owner, id, ended.code))
    expect(await join(ended.code)).toBe("INVITE_NOT_FOUND")
    world.clock.advance("1 hour")
    for (const text of [expired.code, "", "x", "A".repeat(16), ` ${expired.code}`, "ß".repeat(16)])
      expect(await join(text)).toBe("INVITE_NOT_FOUND")
  })

  it("do not let more in than the group takes, and are not used up by that", async () => {
    const { staffed, invites, memberships, projectId, run, code } = await groupsWorld()
    const { id, owner, stranger } = await staffed({ is_public: false, max_members: 3 })
    const invite = await run(invites.create(projectId, owner, id, { expires_in_hours: 1, max_uses: 1 }))
    expect(await code(memberships.joinByCode(projectId, stranger, invite.code))).toBe("GROUP_FULL")
    expect((await run(invites.list(projectId, owner, id, all))).rows).toMatchObject([{ uses: 0 }])
  })

  it("end with their maker's being owner or admin, however that ends", async () => {
    const { staffed, invites, memberships, groups, admin, depart, projectId, run } = await groupsWorld()
    const left = async (end: (given: Awaited<ReturnType<typeof staffed>>) => Promise<unknown>) => {
      const given = await staffed({ is_public: false })
      const mine = await run(invites.create(projectId, given.owner, given.id, forDay))
      await run(invites.create(projectId, given.officer, given.id, forDay))
      await end(given)
      const { rows } = await run(admin.members(projectId, given.id, all))
      const reader = rows.find(({ role }) => role === "owner")?.app_user_id as string
      const live = (await run(invites.list(projectId, reader, given.id, all))).rows.map(({ code }) => code)
      return live.length === 1 && live[0] === mine.code
    }
    expect(await left(({ id, officer }) => run(memberships.leave(projectId, officer, id)))).toBe(true)
    expect(await left(({ id, owner, officer }) => run(memberships.kick(projectId, owner, id, officer, false)))).toBe(
      true,
    )
    expect(await left(({ id, officer }) => run(admin.removeMember(projectId, id, officer)))).toBe(true)
    expect(await left(({ id, officer }) => run(admin.changeRole(projectId, id, officer, "member")))).toBe(true)
    expect(await left(({ officer }) => depart(officer))).toBe(true)
    // Who hands the group over stays an admin.
    expect(await left(({ id, owner, member }) => run(groups.transfer(projectId, owner, id, member)))).toBe(false)
  })

  it("are at most 100 live ones of a group", async () => {
    const { staffed, invites, projectId, run, code, world } = await groupsWorld()
    const { id, owner, officer } = await staffed()
    const make = (userId = owner) => invites.create(projectId, userId, id, { expires_in_hours: 1, max_uses: null })
    for (let n = 0; n < 99; n += 1) await run(make())
    const last = await run(make(officer))
    expect([await code(make()), await code(make(officer))]).toEqual(["QUOTA_EXCEEDED", "QUOTA_EXCEEDED"])
    await run(invites.end(projectId, owner, id, last.code))
    expect([await code(make()), await code(make())]).toEqual(["ok", "QUOTA_EXCEEDED"])
    world.clock.advance("1 hour")
    expect(await code(make())).toBe("ok")
  })

  it("are tried 20 times a minute, right or wrong [I0.1]", async () => {
    const { staffed, invites, memberships, projectId, run, code, user, world } = await groupsWorld()
    const { id, owner, stranger } = await staffed()
    const invite = await run(invites.create(projectId, owner, id, forDay))
    const tries = (userId: string, text: string) => code(memberships.joinByCode(projectId, userId, text))
    for (let n = 0; n < 19; n += 1) expect(await tries(stranger, "A".repeat(16))).toBe("INVITE_NOT_FOUND")
    expect(await tries(stranger, invite.code)).toBe("ok")
    expect(await tries(stranger, invite.code)).toBe("RATE_LIMIT_EXCEEDED")
    expect(await tries(await user(), invite.code)).toBe("ok")
    world.clock.advance("1 minute")
    expect(await tries(stranger, invite.code)).toBe("ok")
  })

  it("are kept for 30 days after their end, then removed by the background [I0.3]", async () => {
    const { staffed, invites, projectId, run, transact, world } = await groupsWorld()
    const { id, owner } = await staffed()
    const [ended, expiring, living] = [
      await run(invites.create(projectId, owner, id, { expires_in_hours: 8_760, max_uses: null })),
      await run(invites.create(projectId, owner, id, { expires_in_hours: 48, max_uses: null })),
      await run(invites.create(projectId, owner, id, { expires_in_hours: 8_760, max_uses: null })),
    ]
    await run(invites.end(projectId, owner, id, ended.code))
    const left = async () => {
      const rows = [ended, expiring, living].map((invite) => transact((db) => db.groupInvites.find({ id: invite.id })))
      return (await Promise.all(rows)).map(Option.isSome)
    }
    await world.runPending()
    await world.advance("30 days")
    await world.advance("1 minute")
    expect(await left()).toEqual([false, true, true])
    await world.advance("2 days")
    expect(await left()).toEqual([false, false, true])
  })
})
