import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Row {
  readonly id: string
  readonly [field: string]: unknown
}

describe("moderation of what users write into libraries", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let libraryId: string
  let ada: TestUser
  let bob: TestUser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    libraryId = (await admin("POST", "/content/libraries", { name: "Tips" })).data.id
    for (const action of ["flag", "hold", "reject"])
      await admin("POST", "/moderation/rules", {
        ...{ name: action, rule_type: "keyword", config: { keywords: [`${action}me`], action } },
      })
    const link = { deny_domains: ["spam.example"], action: "hold" }
    await admin("POST", "/moderation/rules", { name: "links", rule_type: "link", config: link })
  })
  beforeEach(async () => {
    ada = await aUser(server.api, project)
    bob = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  const admin = <Data = Row>(method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const client = <Data = Row>(user: TestUser, method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `/client${path}`, user.as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const write = (user: TestUser, fields: object = {}) =>
    client(user, "POST", `/content/libraries/${libraryId}/items`, { body: "Body", ...fields })
  const change = (user: TestUser, id: string, fields: object) => client(user, "PATCH", `/content/items/${id}`, fields)
  const changeAsDeveloper = (id: string, fields: object) => admin("PATCH", `/content/items/${id}`, fields)
  const sees = async (user: TestUser, id: string) => {
    const one = (await client(user, "GET", `/content/items/${id}`)).status === 200
    const page = await client<ReadonlyArray<Row>>(user, "GET", `/content/libraries/${libraryId}?limit=1000`)
    expect(page.data.some((row) => row.id === id)).toBe(one)
    return one
  }
  const queued = async (id: string, status = "pending") => {
    const queue = await admin<ReadonlyArray<Row>>("GET", `/moderation/queue?limit=1000&status=${status}`)
    return queue.data.filter((item) => item["content_id"] === id)
  }
  const decide = async (id: string, decision: "approve" | "reject") => {
    const [item] = await queued(id)
    return admin("POST", `/moderation/queue/${item?.id}/${decision}`)
  }

  it("is in what was delivered today for its author alone, while it is held [I1.3a, I6.3]", async () => {
    const library = (await admin("POST", "/content/libraries", { name: "Daily" })).data.id
    const { id } = (await client(ada, "POST", `/content/libraries/${library}/items`, { body: "Body" })).data
    const config = { include_authored: true }
    const schedule = { library_id: library, name: "Daily", schedule_type: "daily_rotation", config }
    const scheduled = await admin("POST", "/content/schedules", schedule)
    const today = async (user: TestUser) =>
      (await client<ReadonlyArray<Row>>(user, "GET", "/content/today")).data.map((row) => row.id)
    await admin("POST", `/content/schedules/${scheduled.data.id}/deliver`)
    expect([await today(ada), await today(bob)]).toEqual([[id], [id]])
    await change(ada, id, { body: "Please holdme here" })
    expect([await today(ada), await today(bob)]).toEqual([[id], []])
    await decide(id, "reject")
    expect([await today(ada), await today(bob)]).toEqual([[], []])
    await admin("DELETE", `/content/libraries/${library}`)
  })

  it("holds an item until it is approved; its author sees it meanwhile [I6.1, I6.3]", async () => {
    const made = await write(ada, { body: "Please holdme here" })
    const { id } = made.data
    expect([made.status, made.data["moderation"], made.data["is_active"]]).toEqual([201, "held", true])
    expect([await sees(ada, id), await sees(bob, id)]).toEqual([true, false])
    expect(await queued(id)).toMatchObject([
      { content_type: "content_item", content_id: id, app_user_id: ada.id, excerpt: expect.stringContaining("holdme") },
    ])
    const listed = await admin<ReadonlyArray<Row>>("GET", `/content/libraries/${libraryId}/items?limit=1000`)
    expect(listed.data.find((row) => row.id === id)).toMatchObject({ moderation: "held" })
    expect((await decide(id, "approve")).status).toBe(200)
    expect([await sees(ada, id), await sees(bob, id)]).toEqual([true, true])
  })

  it("refuses what a rule refuses, new or changed, and keeps nothing of it [I6.1]", async () => {
    expect(brief(await write(ada, { title: "rejectme" }))).toEqual([400, "CONTENT_REJECTED"])
    const made = (await write(ada)).data
    expect(brief(await change(ada, made.id, { tags: ["RejectMe"] }))).toEqual([400, "CONTENT_REJECTED"])
    expect((await change(ada, made.id, {})).data).toEqual(made)
    expect(await queued(made.id)).toEqual([])
  })

  it("says whose it is not before what is refused", async () => {
    const made = (await write(ada)).data
    for (const id of [made.id, randomUUID()])
      expect(brief(await change(bob, id, { body: "rejectme" }))).toEqual([404, "NOT_FOUND"])
  })

  it("shows and queues what is flagged, by whichever text [I6.1, I6.2]", async () => {
    for (const fields of [{ title: "flagme" }, { body: "flagme" }, { category: "flagme" }, { tags: ["a", "flagme"] }]) {
      const { id, moderation } = (await write(ada, fields)).data
      expect([moderation, await sees(bob, id), (await queued(id)).length]).toEqual(["shown", true, 1])
    }
    const { id } = (await write(ada, { metadata: { a: "flagme" } })).data
    expect(await queued(id)).toEqual([])
  })

  it("reads media_url by the rules of links [I6.1]", async () => {
    const { id, moderation } = (await write(ada, { media_url: "https://cdn.spam.example/a.png" })).data
    expect([moderation, await sees(bob, id), (await queued(id)).length]).toEqual(["held", false, 1])
    expect((await write(ada, { media_url: "https://fine.example/a.png" })).data["moderation"]).toBe("shown")
  })

  it("hides the whole with a held change, which a later clean one does not lift [I6.3]", async () => {
    const { id } = (await write(ada)).data
    expect((await change(ada, id, { title: "holdme" })).data["moderation"]).toBe("held")
    expect((await change(ada, id, { title: "clean" })).data["moderation"]).toBe("held")
    expect([await sees(ada, id), await sees(bob, id)]).toEqual([true, false])
  })

  it("rejects for good what a moderator rejects, whatever its author does [I6.3]", async () => {
    const { id } = (await write(ada, { body: "flagme" })).data
    expect((await decide(id, "reject")).status).toBe(200)
    expect([await sees(ada, id), await sees(bob, id)]).toEqual([false, false])
    expect((await change(ada, id, { body: "clean", is_active: true })).data).toMatchObject({
      ...{ moderation: "rejected", is_active: true, body: "clean" },
    })
    expect([await sees(ada, id), await sees(bob, id)]).toEqual([false, false])
  })

  it("is undone by a developer's change of a text or of is_active, and of nothing else [I6.3]", async () => {
    for (const fields of [{ is_active: true }, { body: "clean", is_active: true }]) {
      const { id } = (await write(ada, { body: "flagme" })).data
      await decide(id, "reject")
      expect((await changeAsDeveloper(id, { sort_order: 5, metadata: { a: 1 } })).data["moderation"]).toBe("rejected")
      expect((await changeAsDeveloper(id, fields)).data).toMatchObject({ ...fields, moderation: "shown" })
      expect(await sees(bob, id)).toBe(true)
    }
    const held = (await write(ada, { body: "holdme" })).data.id
    expect((await changeAsDeveloper(held, { title: "Fine" })).data["moderation"]).toBe("shown")
    expect(await sees(bob, held)).toBe(true)
  })

  it("does not read what developers write [I6.2]", async () => {
    const items = [{ body: "rejectme holdme flagme" }]
    const made = await admin<ReadonlyArray<Row>>("POST", `/content/libraries/${libraryId}/items`, { items })
    const id = made.data[0]?.id ?? ""
    expect([made.status, made.data[0]?.["moderation"], await queued(id)]).toEqual([201, "shown", []])
    expect((await changeAsDeveloper(id, { title: "rejectme" })).status).toBe(200)
    expect(await queued(id)).toEqual([])
  })

  it("passes over authors who are trusted, but for what is refused [I6.2]", async () => {
    const trust = { app_user_id: ada.id, trust_level: "trusted", auto_approve: true }
    expect((await admin("POST", "/moderation/trust", trust)).status).toBe(200)
    const { id, moderation } = (await write(ada, { body: "holdme flagme" })).data
    expect([moderation, await sees(bob, id), await queued(id)]).toEqual(["shown", true, []])
    expect(brief(await write(ada, { body: "rejectme" }))).toEqual([400, "CONTENT_REJECTED"])
  })

  it("takes reports of what the caller sees, and again once the text has changed [I6.4]", async () => {
    const report = (user: TestUser, id: string, reason: string) =>
      client(user, "POST", "/reports", { target_type: "content_item", target_id: id, reason })
    const held = (await write(ada, { body: "holdme" })).data.id
    expect(brief(await report(bob, held, "bad"))).toEqual([404, "NOT_FOUND"])
    const { id } = (await write(ada)).data
    const first = await report(bob, id, "bad")
    expect([first.status, (await queued(id)).length]).toEqual([201, 1])
    await decide(id, "approve")
    expect((await report(bob, id, "still bad")).data.id).toBe(first.data.id)
    expect(await queued(id)).toEqual([])
    await change(ada, id, { body: "Another text" })
    await report(bob, id, "worse")
    expect(await queued(id)).toHaveLength(1)
  })
})
