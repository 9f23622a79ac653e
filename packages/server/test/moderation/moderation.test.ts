import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Item {
  readonly id: string
  readonly status: string
  readonly report_count: number
}

describe("moderation, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let dataDir: string
  let project: TestProject

  beforeAll(async () => {
    dataDir = harness.folder()
    server = await harness.server({ DATA_DIR: dataDir })
  })
  beforeEach(async () => {
    project = await aProject(server.api)
  })
  afterAll(harness.clear, 30_000)

  const user = () => aUser(server.api, project)
  const admin = <Data = Item>(method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `/admin/projects/${project.id}/moderation/${path}`, project.owner.as, body)
  const client = <Data = Item>({ as }: TestUser, method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `/client/${path}`, as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const rule = (config: unknown, rule_type: unknown = "keyword") =>
    admin("POST", "rules", { name: "Rule", rule_type, config })
  const rename = (who: TestUser, display_name: string) => client(who, "PATCH", "users/me", { display_name })
  const report = (who: TestUser, target_id: string, reason = "rude", target_type = "user") =>
    client(who, "POST", "reports", { target_type, target_id, reason })
  const queue = async (status = "pending") => (await admin<ReadonlyArray<Item>>("GET", `queue?status=${status}`)).data
  const nameSeen = async (who: TestUser) =>
    (
      await server.api.ok<{ display_name: string }>(
        "GET",
        `/admin/projects/${project.id}/users/${who.id}`,
        project.owner.as,
      )
    ).display_name

  it("has at most 200 rules, also when many come at once [I0.2]", async () => {
    await sqlIn(dataDir).rows(
      project.id,
      `insert into moderation_rules (id, name, rule_type, config, is_active, created_at, revision)
       select gen_random_uuid(), 'n', 'link', '{}', false, now(), 0 from generate_series(1, 195)`,
    )
    const answers = await Promise.all(Array.from({ length: 12 }, () => rule({ keywords: ["a"] })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    for (const refused of answers.filter(({ status }) => status !== 201))
      expect(brief(refused)).toEqual([409, "QUOTA_EXCEEDED"])
  })

  it("flags, holds and refuses; the strongest of several wins, in one item [I6.1, I6.2]", async () => {
    await rule({ keywords: ["flagged", "both"] })
    const hold = await rule({ keywords: ["held", "both"], action: "hold" })
    await rule({ keywords: ["refused"], action: "reject" })
    const who = await user()
    expect(await rename(who, "flagged")).toMatchObject({ status: 200, data: { display_name: "flagged" } })
    expect(await nameSeen(who)).toBe("flagged")
    expect(brief(await rename(who, "Re\u200bFUSED"))).toEqual([400, "CONTENT_REJECTED"])
    expect(await nameSeen(who)).toBe("flagged")
    expect(await rename(who, "both")).toMatchObject({ status: 200, data: { display_name: "both" } })
    expect(await nameSeen(who)).not.toMatch(/both|flagged/)
    const items = await queue()
    expect(items).toMatchObject([{ content_id: who.id, rule_id: hold.data.id, excerpt: "both", reason: "keyword" }])
    expect(await rename(who, "clean")).toMatchObject({ data: { display_name: "clean" } })
    expect(await nameSeen(who)).not.toBe("clean")
    await admin("POST", `queue/${items[0]?.id}/approve`)
    expect(await nameSeen(who)).toBe("clean")
  })

  it("reads names at sign-up, and addresses of pictures by link rules [I6.1]", async () => {
    await rule({ keywords: ["refused"], action: "reject" })
    await rule({ deny_domains: ["evil.com"], action: "reject" }, "link")
    const signUp = (display_name: string) =>
      server.api.call<{ user: { display_name: string } }>("POST", "/client/auth/email/signup", project.app, {
        ...{ email: `${randomUUID()}@example.com`, password: "a password", display_name },
      })
    expect(brief(await signUp("refused"))).toEqual([400, "CONTENT_REJECTED"])
    expect(brief(await signUp("see www.evil.com"))).toEqual([400, "CONTENT_REJECTED"])
    await rule({ keywords: ["held"], action: "hold" })
    expect(await signUp("held")).toMatchObject({ status: 201, data: { user: { display_name: "held" } } })
    expect(await queue()).toHaveLength(1)
    const who = await user()
    const picture = (avatar_url: string) => client(who, "PATCH", "users/me", { avatar_url })
    expect(brief(await picture("https://img.evil.com/a.png"))).toEqual([400, "CONTENT_REJECTED"])
    expect(brief(await picture("https://good.com/evil.com/a.png"))).toEqual([200, null])
  })

  it("passes over authors with auto_approve, but still refuses [I6.2]", async () => {
    await rule({ keywords: ["held"], action: "hold" })
    await rule({ keywords: ["refused"], action: "reject" })
    const who = await user()
    await admin("POST", "trust", { app_user_id: who.id, trust_level: "trusted", auto_approve: true })
    expect(brief(await rename(who, "held"))).toEqual([200, null])
    expect([await nameSeen(who), await queue()]).toEqual(["held", []])
    expect(brief(await rename(who, "refused"))).toEqual([400, "CONTENT_REJECTED"])
  })

  it("does not moderate what the admin plane writes, and shows it [I6.2, I6.3]", async () => {
    await rule({ keywords: ["held"], action: "hold" })
    const who = await user()
    const patch = (body: unknown) =>
      server.api.ok("PATCH", `/admin/projects/${project.id}/users/${who.id}`, project.owner.as, body)
    await rename(who, "held")
    await patch({ display_name: "still held" })
    expect(await nameSeen(who)).toBe("still held")
    expect((await client<{ display_name: string }>(who, "GET", "users/me")).data.display_name).toBe("still held")
  })

  it.each([
    ["approve", "approved"],
    ["reject", "rejected"],
  ])("%ss from pending and escalated; a resolved item is answered as it is [E12, I6.3]", async (action, status) => {
    for (const escalates of [false, true]) {
      const who = await user()
      const { data } = await report(await user(), who.id)
      const act = (name: string) => admin("POST", `queue/${data.id}/${name}`)
      if (escalates)
        for (const _ of [1, 2])
          expect((await act("escalate")).data).toMatchObject({
            status: "escalated",
            resolved_at: null,
            moderator_id: null,
          })
      const done = await act(action)
      expect(done).toMatchObject({
        status: 200,
        data: { status, moderator_id: "admin", resolved_at: expect.any(String) },
      })
      for (const again of ["approve", "reject", "escalate"]) expect((await act(again)).data).toEqual(done.data)
      expect((await queue(status)).map(({ id }) => id)).toContain(data.id)
    }
  })

  it("knows no item of another project, nor what is no id", async () => {
    const { data } = await report(await user(), (await user()).id)
    project = await aProject(server.api)
    for (const id of [data.id, randomUUID(), "nobody"])
      for (const action of ["approve", "reject", "escalate"])
        expect(brief(await admin("POST", `queue/${id}/${action}`))).toEqual([404, "NOT_FOUND"])
    for (const query of ["status=", "status=open", "status=PENDING"])
      expect(brief(await admin("GET", `queue?${query}`))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await admin("GET", "queue?limit=0"))).toEqual([400, "INVALID_LIMIT"])
    expect(await queue()).toEqual([])
  })

  it("rejecting a user makes the name anew and takes the picture; the next name is judged anew [I6.3]", async () => {
    const who = await user()
    await client(who, "PATCH", "users/me", { display_name: "Rude", avatar_url: "https://a.example/b.png" })
    const { data } = await report(await user(), who.id)
    await admin("POST", `queue/${data.id}/reject`)
    const me = (await client<{ display_name: string; avatar_url: null }>(who, "GET", "users/me")).data
    expect(me.display_name).toMatch(/^[A-Z][a-z]+[A-Z][a-z]+$/)
    expect(me.avatar_url).toBeNull()
    await rename(who, "Polite")
    expect(await nameSeen(who)).toBe("Polite")
  })

  it("only resolves where the content is gone [I6.3]", async () => {
    const [one, two] = [await user(), await user()]
    const items = [(await report(await user(), one.id)).data, (await report(await user(), two.id)).data]
    for (const gone of [one, two]) await client(gone, "DELETE", "users/me")
    expect(await queue()).toMatchObject([{ app_user_id: null }, { app_user_id: null }])
    expect(await admin("POST", `queue/${items[0]?.id}/approve`)).toMatchObject({ data: { status: "approved" } })
    expect(await admin("POST", `queue/${items[1]?.id}/reject`)).toMatchObject({ data: { status: "rejected" } })
  })

  it("counts each reporter once per text in one open item, and joins a rule's [I6.4]", async () => {
    const [target, one, two] = [await user(), await user(), await user()]
    const first = await report(one, target.id, "first")
    expect(first).toMatchObject({
      ...{ status: 201, data: { reason: "reported", status: "pending", report_count: 1, report_reasons: ["first"] } },
    })
    expect((await report(one, target.id, "again")).data).toEqual(first.data)
    expect((await report(two, target.id, "second")).data).toMatchObject({ id: first.data.id, report_count: 2 })
    await rename(target, "Other")
    expect((await report(one, target.id, "third")).data).toMatchObject({ id: first.data.id, report_count: 3 })
    expect(await queue()).toMatchObject([{ report_count: 3, report_reasons: ["third", "second", "first"] }])

    await rule({ keywords: ["spam"] })
    const flagged = await user()
    await rename(flagged, "spam")
    const joined = await report(one, flagged.id)
    expect(joined.data).toMatchObject({ reason: "keyword", report_count: 1 })
    await rename(flagged, "more spam")
    expect(await queue()).toHaveLength(2)
  })

  it("answers the approved item until the text changes [I6.4]", async () => {
    const [target, one, two] = [await user(), await user(), await user()]
    await rename(target, "Fine")
    const { data } = await report(one, target.id)
    await admin("POST", `queue/${data.id}/approve`)
    expect(await report(two, target.id)).toMatchObject({
      status: 201,
      data: { id: data.id, status: "approved", report_count: 1 },
    })
    await rename(target, "Not fine")
    const next = await report(two, target.id)
    expect(next.data).toMatchObject({ status: "pending", report_count: 1 })
    expect(next.data.id).not.toBe(data.id)
  })

  it("shows a reporter no reasons of others [I6.4]", async () => {
    const [target, one, two] = [await user(), await user(), await user()]
    await report(one, target.id, "a secret")
    expect((await report(two, target.id, "mine")).data).toMatchObject({ report_count: 2, report_reasons: ["mine"] })
  })

  it("knows no target that the caller cannot see [I6.4]", async () => {
    const who = await user()
    const stranger = await aUser(server.api, await aProject(server.api))
    for (const id of [stranger.id, randomUUID()])
      for (const type of ["user", "message", "content_item", "group", "review"])
        expect(brief(await report(who, id, "rude", type))).toEqual([404, "NOT_FOUND"])
    const bad = [
      { target_type: "event", target_id: who.id, reason: "r" },
      { target_type: "user", target_id: "x", reason: "r" },
      { target_type: "user", target_id: who.id },
      { target_type: "user", target_id: who.id, reason: "" },
      { target_type: "user", target_id: who.id, reason: "r".repeat(1_001) },
    ]
    for (const body of bad) expect(brief(await client(who, "POST", "reports", body))).toEqual([400, "INVALID_INPUT"])
  })

  it("takes a reporter's counts away with the reporter [I0.4]", async () => {
    const [target, one, two] = [await user(), await user(), await user()]
    await report(one, target.id)
    await report(two, target.id)
    await client(one, "DELETE", "users/me")
    expect(await queue()).toMatchObject([{ report_count: 1 }])
  })

  it("decides, reports, changes and removes one content at once: one item, no fault, one outcome [I6.3, I6.4]", async () => {
    await rule({ keywords: ["held"], action: "hold" })
    for (const removes of [false, true, false]) {
      const [target, ...reporters] = await Promise.all(Array.from({ length: 7 }, user))
      if (target === undefined) throw new Error("There is nobody to report.")
      const { data } = await report(await user(), target.id)
      const act = (name: string) => admin("POST", `queue/${data.id}/${name}`)
      const answers = await Promise.all([
        ...["approve", "reject", "escalate", "reject", "approve"].map(act),
        ...reporters.map((who) => report(who, target.id)),
        ...["held", "clean", "held"].map((name) => rename(target, name)),
        ...(removes ? [client(target, "DELETE", "users/me")] : []),
      ])
      for (const { status } of answers) expect([200, 201, ...(removes ? [401, 404] : [])]).toContain(status)
      const decided = answers
        .slice(0, 5)
        .filter(({ data: item }) => item.status === "approved" || item.status === "rejected")
      expect(new Set(decided.map(({ data: item }) => item.status)).size).toBe(1)
      const own = "content_type = 'user' and content_id = $1"
      const open = await sqlIn(dataDir).rows(
        project.id,
        `select id from moderation_queue where ${own} and resolved_at is null`,
        [target.id],
      )
      expect(open.length).toBeLessThanOrEqual(1)
    }
  })

  it("allows 60 reports per hour [I0.1]", async () => {
    const [who, target] = [await user(), await user()]
    for (let n = 0; n < 60; n++) expect((await report(who, target.id)).status).toBe(201)
    const refused = await report(who, target.id)
    expect(brief(refused)).toEqual([429, "RATE_LIMIT_EXCEEDED"])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  })

  it("says how far users are trusted, once per user [I6.4]", async () => {
    const who = await user()
    const trust = (body: unknown) => admin<Record<string, unknown>>("POST", "trust", body)
    const first = await trust({ app_user_id: who.id, trust_level: "new" })
    expect(first).toMatchObject({ status: 200, data: { app_user_id: who.id, trust_level: "new", auto_approve: false } })
    expect(Object.keys(first.data).toSorted()).toEqual(["app_user_id", "auto_approve", "trust_level", "updated_at"])
    await trust({ app_user_id: who.id, trust_level: "trusted", auto_approve: true })
    const listed = await admin<ReadonlyArray<object>>("GET", "trust")
    expect(listed.data).toMatchObject([
      { trust_level: "trusted", app_users: { id: who.id, display_name: expect.any(String), email: null } },
    ])
    expect(JSON.parse(listed.text)).toMatchObject({ total: 1, offset: 0, limit: 50 })
    expect(brief(await trust({ app_user_id: randomUUID(), trust_level: "x" }))).toEqual([404, "USER_NOT_FOUND"])
    for (const body of [
      { app_user_id: "x", trust_level: "x" },
      { app_user_id: who.id },
      { app_user_id: who.id, trust_level: "" },
      { app_user_id: who.id, trust_level: "x".repeat(65) },
      { app_user_id: who.id, trust_level: "x", auto_approve: "yes" },
    ])
      expect(brief(await trust(body))).toEqual([400, "INVALID_INPUT"])
  })

  it("tries a rule on what is written, without changing anything [I6.5]", async () => {
    const people = [await user(), await user(), await user()]
    for (const [at, who] of people.entries()) await rename(who, `Person ${at}`)
    const preview = (config: unknown, rule_type = "keyword") => admin("POST", "rules/preview", { rule_type, config })
    const { data, text } = await preview({ keywords: ["person"], action: "reject" })
    expect(data).toMatchObject({ checked: expect.any(Number), matches: 3 })
    expect(JSON.parse(text).data.sample.map(({ excerpt }: { excerpt: string }) => excerpt)).toEqual([
      ...["Person 2", "Person 1", "Person 0"],
    ])
    expect((await preview({ pattern: "person [01]" }, "regex")).data).toMatchObject({ matches: 2 })
    expect((await preview({}, "link")).data).toMatchObject({ matches: 0, sample: [] })
    expect(await queue()).toEqual([])
  })
})
