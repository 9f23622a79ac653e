import { expect } from "vitest"
import { writePeople } from "../harness/people.ts"
import type { Tour } from "../harness/tour.ts"

interface Listed {
  readonly id: string
}

/** A group from its making to its end: who is in it, who invites whom, and to whom it is handed over. */
export const tour: Tour = async ({ admin, client, sql, projectId, userId }) => {
  const [ada = "", bob = ""] = await writePeople(sql, projectId, "Ada", "Bob")
  const body = { name: "Runners", description: "Every morning", metadata: { sport: "running" } }
  const group = await client("POST /client/groups", { body })
  const fields = { ...body, avatar_url: null, is_public: true, max_members: 100, moderation: "shown" }
  const times = { created_at: expect.any(String), updated_at: expect.any(String) }
  expect(group).toEqual({ ...fields, ...times, id: expect.any(String), owner_id: userId })
  const groupId = group["id"]
  const counted = { ...group, member_count: 1 }
  expect(await client("GET /client/groups/mine")).toEqual([{ role: "owner", groups: counted }])
  expect(await client("GET /client/groups/search", { query: "q=RUNN" })).toEqual([counted])
  expect(await client("GET /client/groups/:groupId", { groupId })).toEqual({ ...counted, role: "owner" })

  // Whom a developer adds, and what they see.
  const add = (app_user_id: string, role: string) =>
    admin("POST /groups/:groupId/members", { groupId, body: { app_user_id, role } })
  const joined = { group_id: groupId, joined_at: expect.any(String) }
  expect(await add(ada, "admin")).toEqual({ ...joined, app_user_id: ada, role: "admin" })
  await add(bob, "member")
  const members = await client("GET /client/groups/:groupId/members", { groupId })
  const person = (id: string, display_name: string) => ({ id, display_name, avatar_url: null })
  expect(members).toEqual([
    { ...joined, app_user_id: userId, role: "owner", app_users: person(userId, expect.any(String)) },
    { ...joined, app_user_id: ada, role: "admin", app_users: person(ada, "Ada") },
    { ...joined, app_user_id: bob, role: "member", app_users: person(bob, "Bob") },
  ])
  expect(await admin("GET /groups/:groupId/members", { groupId })).toEqual(members)
  expect(await admin("GET /groups")).toEqual([{ ...group, member_count: 3 }])
  expect(await admin("GET /groups/:groupId", { groupId })).toEqual({ ...group, member_count: 3 })

  // What its owner changes, and whom the owner takes out.
  const changed = await client("PATCH /client/groups/:groupId", { groupId, body: { is_public: false } })
  expect(changed).toEqual({ ...group, is_public: false, updated_at: expect.any(String) })
  const kicked = await client("POST /client/groups/:groupId/members/:userId/kick", {
    ...{ groupId, userId: bob, body: { ban: true } },
  })
  expect(kicked).toEqual({ kicked: true })
  await add(bob, "member")

  // Invites.
  const invite = await client("POST /client/groups/:groupId/invites", { groupId, body: { max_uses: 2 } })
  expect(invite).toEqual({
    code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{16}$/),
    ...{ max_uses: 2, expires_at: expect.any(String) },
  })
  expect(await client("GET /client/groups/:groupId/invites", { groupId })).toEqual([
    { ...invite, uses: 0, created_by: userId, created_at: expect.any(String) },
  ])
  const own = { ...joined, app_user_id: userId, role: "owner" }
  expect(await client("POST /client/groups/join", { body: { code: invite["code"] } })).toEqual(own)
  await client("DELETE /client/groups/:groupId/invites/:code", { groupId, code: invite["code"] })
  expect(await client("GET /client/groups/:groupId/invites", { groupId })).toEqual([])

  // Roles, and a new owner.
  const memberId = ada
  expect(
    await admin("PATCH /groups/:groupId/members/:memberId", { groupId, memberId, body: { role: "member" } }),
  ).toEqual({ ...joined, app_user_id: ada, role: "member" })
  const handed = await client("POST /client/groups/:groupId/transfer", { groupId, body: { app_user_id: ada } })
  expect(handed).toMatchObject({ id: groupId, owner_id: ada })
  expect(await client("POST /client/groups/:groupId/join", { groupId })).toEqual({ ...own, role: "admin" })
  expect(await client("POST /client/groups/:groupId/leave", { groupId })).toEqual({ left: true })
  await admin("DELETE /groups/:groupId/members/:memberId", { groupId, memberId: bob })
  expect(await admin("GET /groups/:groupId/members", { groupId })).toMatchObject([{ app_user_id: ada, role: "owner" }])
  const shown = await admin("PATCH /groups/:groupId", { groupId, body: { name: "Rowers", is_public: true } })
  expect(shown).toMatchObject({ name: "Rowers", is_public: true })

  // Others.
  const second = await admin("POST /groups", { body: { name: "Second", owner_id: bob, max_members: 1 } })
  expect(second).toMatchObject({ name: "Second", owner_id: bob, max_members: 1, metadata: {} })
  const third = await client<Listed>("POST /client/groups", { body: { name: "Third" } })
  await client("DELETE /client/groups/:groupId", { groupId: third.id })
  for (const id of [groupId, second["id"]]) await admin("DELETE /groups/:groupId", { groupId: id })
  expect([await admin("GET /groups"), await client("GET /client/groups/mine")]).toEqual([[], []])
  const events = await admin<ReadonlyArray<{ event_name: string }>>("GET /users/:userId/events", { userId })
  const names = events.map(({ event_name }) => event_name).filter((name) => name.startsWith("group_"))
  expect(names.toReversed()).toEqual(["group_created", "group_left", "group_created"])
}
