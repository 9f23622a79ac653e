import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Credentials } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Group {
  readonly id: string
  readonly name: string
  readonly owner_id: string
}

describe("groups, from the outside", () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: dataDir, LIMIT_NEW_GROUPS: "1000 per minute" })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const user = () => aUser(server.api, project)
  const call = <Data = Group>(as: Credentials, method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, path, as, body)
  const client = <Data = Group>({ as }: TestUser, method: string, path: string, body?: unknown) =>
    call<Data>(as, method, `/client/groups${path}`, body)
  const admin = <Data = Group>(method: string, path: string, body?: unknown) =>
    call<Data>(project.owner.as, method, `${project.admin}/groups${path}`, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const create = async (owner: TestUser, given: object = {}) => {
    const { status, data, text } = await client(owner, "POST", "", { name: "Runners", ...given })
    if (status !== 201) throw new Error(text)
    return data
  }
  const pathsOf = ({ text }: Answer<unknown>): ReadonlyArray<string> =>
    JSON.parse(text).error.details.issues.map(({ path }: { readonly path: string }) => path)

  const bad: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, string]> = [
    ["an empty name", { name: "" }, "name"],
    ["a name of 101 characters", { name: "x".repeat(101) }, "name"],
    ["a name that is null", { name: null }, "name"],
    ["a name that is no text", { name: 7 }, "name"],
    ["a name with NUL", { name: "a\u0000b" }, "name"],
    ["half a surrogate pair", { name: "\ud800" }, "name"],
    ["a description of 2,001 characters", { description: "x".repeat(2_001) }, "description"],
    ["a description that is no text", { description: {} }, "description"],
    ["an address of another scheme", { avatar_url: "javascript:alert(1)" }, "avatar_url"],
    ["an address of 2,049 characters", { avatar_url: `https://e.example/${"x".repeat(2_031)}` }, "avatar_url"],
    ["is_public that is text", { is_public: "true" }, "is_public"],
    ["is_public that is null", { is_public: null }, "is_public"],
    ["max_members of 0", { max_members: 0 }, "max_members"],
    ["max_members of 100,001", { max_members: 100_001 }, "max_members"],
    ["max_members that is no whole number", { max_members: 1.5 }, "max_members"],
    ["max_members that is null", { max_members: null }, "max_members"],
    ["metadata that is null", { metadata: null }, "metadata"],
    ["metadata that is a list", { metadata: [] }, "metadata"],
    ["metadata of over 16 KB", { metadata: { t: "x".repeat(16 * 1024 - 7) } }, "metadata"],
  ]

  it.each(bad)("refuses %s, in all four [I2.2, I0.2]", async (_, given, path) => {
    const ada = await user()
    const group = await create(ada)
    const answers = [
      await client(ada, "POST", "", { name: "New", ...given }),
      await client(ada, "PATCH", `/${group.id}`, given),
      await admin("POST", "", { name: "New", owner_id: ada.id, ...given }),
      await admin("PATCH", `/${group.id}`, given),
    ]
    for (const answer of answers) {
      expect(brief(answer)).toEqual([400, "INVALID_INPUT"])
      expect(pathsOf(answer)).toEqual([path])
    }
    expect((await client(ada, "GET", `/${group.id}`)).data).toMatchObject(group)
  })

  it("refuses a group without a name, without an owner, and for nobody", async () => {
    const ada = await user()
    for (const body of [{}, [], null, "text", undefined])
      expect(brief(await client(ada, "POST", "", body))).toEqual([400, "INVALID_INPUT"])
    expect(pathsOf(await admin("POST", "", {}))).toEqual(["name", "owner_id"])
    expect(brief(await admin("POST", "", { name: "New", owner_id: "ada" }))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await admin("POST", "", { name: "New", owner_id: randomUUID() }))).toEqual([404, "USER_NOT_FOUND"])
  })

  it("keeps the greatest values as they are, bidi and invisible characters too, and fills in defaults [I2.2]", async () => {
    const ada = await user()
    const longest = {
      ...{ name: "\u{1F98A}".repeat(50), description: `\u202E\u200B${"x".repeat(1_998)}`, max_members: 100_000 },
      ...{ avatar_url: `https://e.example/${"x".repeat(2_030)}`, is_public: false },
      metadata: { t: "x".repeat(16 * 1024 - 8), __proto__: null },
    }
    const group = await create(ada, longest)
    expect(group).toMatchObject(longest)
    expect((await client(ada, "GET", `/${group.id}`)).data).toEqual({ ...group, member_count: 1, role: "owner" })
    expect(await create(ada)).toMatchObject({
      ...{ name: "Runners", description: null, avatar_url: null, is_public: true, max_members: 100, metadata: {} },
      owner_id: ada.id,
    })
    const cleared = await client(ada, "PATCH", `/${group.id}`, { description: null, avatar_url: null })
    expect(cleared.data).toMatchObject({ name: longest.name, description: null, avatar_url: null })
  })

  it("ignores what the service sets, and a PATCH without a known key changes nothing [A5]", async () => {
    const [ada, bob] = [await user(), await user()]
    const own = { owner_id: bob.id, member_count: 9, moderation: "held", id: randomUUID(), created_at: "2000-01-01" }
    const group = await create(ada, own)
    expect(group).toMatchObject({ owner_id: ada.id })
    for (const answer of [await client(ada, "PATCH", `/${group.id}`, own), await admin("PATCH", `/${group.id}`, own)])
      expect(answer).toMatchObject({ status: 200, data: group })
    expect((await client(bob, "GET", `/${group.id}`)).data).toEqual({ ...group, member_count: 1, role: null })
  })

  it("answers 404 for ids that are none, or nobody's [A6]", async () => {
    const ada = await user()
    const { id } = await create(ada)
    const none = [404, "NOT_FOUND"]
    for (const groupId of [randomUUID(), "nobody", "%00", "..%2f..", `${id}x`]) {
      for (const [method, path] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/join"],
        ["GET", "/members"],
        ["GET", "/invites"],
        ["POST", "/invites"],
        ["DELETE", "/invites/ABCDEFGHJKMNPQRS"],
        ["POST", `/members/${ada.id}/kick`],
      ] as const)
        expect([
          method,
          path,
          ...brief(await client(ada, method, `/${groupId}${path}`, method === "GET" ? undefined : {})),
        ]).toEqual([...[method, path, ...none]])
      const transfer = await client(ada, "POST", `/${groupId}/transfer`, { app_user_id: ada.id })
      const change = await admin("PATCH", `/${groupId}/members/${ada.id}`, { role: "admin" })
      const add = await admin("POST", `/${groupId}/members`, { app_user_id: ada.id, role: "admin" })
      const rest = [await admin("PATCH", `/${groupId}`, {}), await admin("GET", `/${groupId}/members`)]
      for (const answer of [transfer, change, add, ...rest]) expect(brief(answer)).toEqual(none)
    }
    // A missing row is deleted, and left, already [A7, I2.3]; what is no id is none of anything.
    expect(brief(await client(ada, "POST", `/${randomUUID()}/leave`))).toEqual([200, null])
    expect(brief(await client(ada, "POST", "/nobody/leave"))).toEqual(none)
    expect(brief(await admin("DELETE", `/${randomUUID()}`))).toEqual([200, null])
    expect(brief(await admin("DELETE", `/${id}/members/${randomUUID()}`))).toEqual([200, null])
    expect(brief(await client(ada, "POST", `/${id}/members/nobody/kick`, {}))).toEqual(none)
    expect((await client(ada, "GET", `/${id.toUpperCase()}`)).status).toBe(200)
  })

  it("knows no group and no user of another project", async () => {
    const other = await aProject(server.api)
    const [ada, stranger] = [await user(), await aUser(server.api, other)]
    const { id } = await create(ada)
    expect(brief(await client(stranger, "GET", `/${id}`))).toEqual([404, "NOT_FOUND"])
    expect(brief(await client(stranger, "POST", `/${id}/join`))).toEqual([404, "NOT_FOUND"])
    expect(brief(await admin("POST", `/${id}/members`, { app_user_id: stranger.id }))).toEqual([404, "USER_NOT_FOUND"])
    const list = await call<ReadonlyArray<Group>>(other.owner.as, "GET", `${other.admin}/groups`)
    expect(list.data).toEqual([])
    const removed = await call(other.owner.as, "DELETE", `${other.admin}/groups/${id}`)
    expect([removed.status, (await client(ada, "GET", `/${id}`)).status]).toEqual([200, 200])
  })

  it("refuses bad roles, members, codes and invites", async () => {
    const [ada, bob] = [await user(), await user()]
    const { id } = await create(ada)
    await admin("POST", `/${id}/members`, { app_user_id: bob.id })
    const invalid = [400, "INVALID_INPUT"]
    for (const role of ["superuser", "", "Owner", null, 7, undefined])
      expect(brief(await admin("PATCH", `/${id}/members/${bob.id}`, { role }))).toEqual(invalid)
    for (const role of ["owner", "superuser", null])
      expect(brief(await admin("POST", `/${id}/members`, { app_user_id: bob.id, role }))).toEqual(invalid)
    for (const body of [{}, { app_user_id: "bob" }, { app_user_id: null }]) {
      expect(brief(await admin("POST", `/${id}/members`, body))).toEqual(invalid)
      expect(brief(await client(ada, "POST", `/${id}/transfer`, body))).toEqual(invalid)
    }
    for (const ban of ["true", null, 1])
      expect(brief(await client(ada, "POST", `/${id}/members/${bob.id}/kick`, { ban }))).toEqual(invalid)
    for (const body of [{}, { code: 7 }, { code: null }, { code: "" }, { code: "x".repeat(257) }, { code: "\u0000" }])
      expect(brief(await client(bob, "POST", "/join", body))).toEqual(invalid)
    for (const body of [
      { expires_in_hours: 0 },
      { expires_in_hours: 8_761 },
      { expires_in_hours: 1.5 },
      { expires_in_hours: null },
      { max_uses: 0 },
      { max_uses: 2_147_483_648 },
      { max_uses: "1" },
    ])
      expect(brief(await client(ada, "POST", `/${id}/invites`, body))).toEqual(invalid)
    for (const body of [undefined, { expires_in_hours: 8_760, max_uses: 2_147_483_647 }, { max_uses: null }])
      expect(brief(await client(ada, "POST", `/${id}/invites`, body))).toEqual([201, null])
    expect(brief(await client(ada, "POST", `/${id}/members/${bob.id}/kick`))).toEqual([200, null])
  })

  it("searches public groups by name without wildcards, 20 at a time by default", async () => {
    const ada = await user()
    const tag = randomUUID()
    const odd = await create(ada, { name: `100%_\\ ${tag}` })
    await create(ada, { name: `hidden ${tag}`, is_public: false })
    for (let n = 0; n < 21; n += 1) await create(ada, { name: `Many ${tag} ${n}` })
    const search = async (query: string) => {
      const { text } = await client(ada, "GET", `/search?${query}`)
      const { data, total, offset, limit } = JSON.parse(text)
      return { names: data.map(({ name }: Group) => name), total, offset, limit }
    }
    for (const q of [`100%25_%5C%20${tag}`, `0%25_`]) {
      const found = await search(`q=${q}`)
      expect(found.names).toEqual([odd.name])
    }
    const page = await search(`q=many%20${tag.toUpperCase()}`)
    expect([page.names.length, page.total, page.offset, page.limit]).toEqual([20, 21, 0, 20])
    expect(page.names[0]).toBe(`Many ${tag} 20`)
    expect((await search(`q=${tag}&limit=2&offset=20`)).names).toHaveLength(2)
    expect((await search("limit=1")).total).toBeGreaterThanOrEqual(22)
    expect((await search("q=")).total).toBe((await search("limit=1")).total)
    expect(brief(await client(ada, "GET", "/search?limit=0"))).toEqual([400, "INVALID_LIMIT"])
    expect(brief(await client(ada, "GET", "/search?offset=-1"))).toEqual([400, "INVALID_OFFSET"])
    expect(brief(await client(ada, "GET", "/search?q=%00"))).toEqual([400, "INVALID_INPUT"])
  })

  it("lists members by joined_at, 1,000 at a time by default [I2.6]", async () => {
    const [ada, bob] = [await user(), await user()]
    const { id } = await create(ada)
    await client(bob, "POST", `/${id}/join`)
    const list = async (query = "") => JSON.parse((await client(bob, "GET", `/${id}/members${query}`)).text)
    const { data, ...page } = await list()
    expect(page).toEqual({ total: 2, offset: 0, limit: 1_000 })
    expect(data.map((member: { app_user_id: string; role: string }) => [member.app_user_id, member.role])).toEqual([
      [ada.id, "owner"],
      [bob.id, "member"],
    ])
    expect(Object.keys(data[0]).sort()).toEqual(["app_user_id", "app_users", "group_id", "joined_at", "role"])
    expect(Object.keys(data[0].app_users).sort()).toEqual(["avatar_url", "display_name", "id"])
    expect((await list("?limit=1&offset=1")).data).toEqual([data[1]])
  })

  it("refuses with the codes of the spec whoever may not [I2.3, I2.4, I2.5]", async () => {
    const [ada, bob, eve] = [await user(), await user(), await user()]
    const { id } = await create(ada, { is_public: false, max_members: 2 })
    expect(brief(await client(eve, "POST", `/${id}/join`))).toEqual([403, "NOT_PUBLIC"])
    expect(brief(await client(eve, "POST", `/${randomUUID()}/join`))).toEqual([404, "NOT_FOUND"])
    expect(brief(await client(ada, "POST", `/${id}/leave`))).toEqual([400, "OWNER_CANNOT_LEAVE"])
    const { data: invite } = await client<{ code: string }>(ada, "POST", `/${id}/invites`, {})
    expect(brief(await client(bob, "POST", "/join", { code: invite.code }))).toEqual([201, null])
    expect(brief(await client(eve, "POST", "/join", { code: invite.code }))).toEqual([409, "GROUP_FULL"])
    expect(brief(await client(eve, "POST", "/join", { code: "A".repeat(16) }))).toEqual([404, "INVITE_NOT_FOUND"])
    expect(brief(await client(bob, "PATCH", `/${id}`, { name: "Mine" }))).toEqual([403, "FORBIDDEN"])
    expect(brief(await client(eve, "PATCH", `/${id}`, { name: "Mine" }))).toEqual([404, "NOT_FOUND"])
    expect(brief(await admin("DELETE", `/${id}/members/${ada.id}`))).toEqual([400, "OWNER_CANNOT_LEAVE"])
    expect(brief(await admin("PATCH", `/${id}/members/${ada.id}`, { role: "member" }))).toEqual([
      ...[400, "OWNER_CANNOT_LEAVE"],
    ])
    expect(brief(await client(ada, "POST", `/${id}/members/${bob.id}/kick`, { ban: true }))).toEqual([200, null])
    for (const answer of [
      await client(bob, "POST", `/${id}/join`),
      await client(bob, "POST", "/join", { code: invite.code.toLowerCase() }),
    ])
      expect(brief(answer)).toEqual([403, "FORBIDDEN"])
  })

  it("passes the groups of a user who is deleted on, in pieces, and removes empty ones [I2.6, I0.4]", async () => {
    const [ada, bob, cleo] = [await user(), await user(), await user()]
    const passed = await create(ada)
    for (const each of [bob, cleo]) await client(each, "POST", `/${passed.id}/join`)
    await admin("PATCH", `/${passed.id}/members/${cleo.id}`, { role: "admin" })
    const empty = await create(ada)
    // As many as two pieces and a half.
    await sql.rows(
      project.id,
      `with made as (
         insert into groups select gen_random_uuid(), 'Many', null, null, true, 100, '{}', $1, 2, 'shown', now(), now()
         from generate_series(1, 1250) returning id
       )
       insert into group_members select gen_random_uuid(), id, u, u = $1, now() from made, unnest(array[$1::uuid, $2]) u`,
      [ada.id, bob.id],
    )
    expect(brief(await call(ada.as, "DELETE", "/client/users/me"))).toEqual([200, null])
    expect((await client(bob, "GET", `/${passed.id}`)).data).toMatchObject({ owner_id: cleo.id, member_count: 2 })
    expect(brief(await client(bob, "GET", `/${empty.id}`))).toEqual([404, "NOT_FOUND"])
    const [left] = await sql.rows(
      project.id,
      `select count(*)::int as groups, sum(member_count)::int as members,
         (select count(*)::int from group_members m join groups g on g.id = m.group_id and g.owner_id = m.app_user_id
          where g.name = 'Many' and m.is_admin) as owners
       from groups where name = 'Many' and owner_id = $1`,
      [bob.id],
    )
    expect(left).toEqual({ groups: 1_250, members: 1_250, owners: 1_250 })
  })

  it("are in the file about their member [I2.6]", async () => {
    const [ada, bob] = [await user(), await user()]
    const { id } = await create(ada)
    await client(bob, "POST", `/${id}/join`)
    const section = async (userId: string) => {
      const path = `${server.url}/v1${project.admin}/users/${userId}/export`
      const lines = (await (await fetch(path, { headers: project.owner.as })).text()).trim().split("\n")
      return lines.map((line) => JSON.parse(line)).filter((line) => line.section === "group_memberships")
    }
    const joined_at = expect.any(String)
    const line = (app_user_id: string, role: string) => ({
      ...{ section: "group_memberships", data: { group_id: id, app_user_id, role, joined_at } },
    })
    expect(await section(ada.id)).toEqual([line(ada.id, "owner")])
    expect(await section(bob.id)).toEqual([line(bob.id, "member")])
  })
})
