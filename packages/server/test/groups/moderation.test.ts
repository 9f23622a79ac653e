import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Row {
  readonly id: string
}

interface Item extends Row {
  readonly content_id: string
  readonly status: string
}

describe("moderation of groups, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    for (const [action, word] of Object.entries({ flag: "odd", hold: "strange", reject: "vile" })) {
      const config = { keywords: [word], action }
      await admin("POST", "/moderation/rules", { name: action, rule_type: "keyword", config })
    }
  })
  afterAll(harness.clear)

  const user = () => aUser(server.api, project)
  const admin = <Data = Row>(method: string, path: string, body?: unknown) =>
    server.api.ok<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const client = <Data = Row>({ as }: TestUser, method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `/client/groups${path}`, as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const itemOf = async (groupId: string) =>
    (await admin<ReadonlyArray<Item>>("GET", "/moderation/queue")).find(({ content_id }) => content_id === groupId)
  const decide = async (groupId: string, decision: "approve" | "reject") =>
    admin<Item>("POST", `/moderation/queue/${(await itemOf(groupId))?.id}/${decision}`)

  it("refuses a name or description that a rule refuses, and stores nothing [I6.1]", async () => {
    const ada = await user()
    for (const body of [{ name: "Vile" }, { name: "Fine", description: "All (vile)!" }])
      expect(brief(await client(ada, "POST", "", body))).toEqual([400, "CONTENT_REJECTED"])
    expect((await client(ada, "GET", "/mine")).data).toEqual([])
  })

  it("queues what is flagged, and shows it meanwhile [I6.1]", async () => {
    const [ada, eve] = [await user(), await user()]
    const { data: group } = await client(ada, "POST", "", { name: "Odd runners" })
    expect(brief(await client(eve, "GET", `/${group.id}`))).toEqual([200, null])
    expect(await itemOf(group.id)).toMatchObject({ content_type: "group", app_user_id: ada.id, status: "pending" })
  })

  it("hides what is held from all but members until it is approved [I6.3]", async () => {
    const [ada, bob, eve] = [await user(), await user(), await user()]
    const { data: group } = await client(ada, "POST", "", { name: "Runners" })
    await client(bob, "POST", `/${group.id}/join`)
    expect((await client(ada, "PATCH", `/${group.id}`, { description: "Strange" })).data).toMatchObject({
      ...{ is_public: true, moderation: "held" },
    })
    expect(brief(await client(eve, "GET", `/${group.id}`))).toEqual([404, "NOT_FOUND"])
    expect(brief(await client(eve, "POST", `/${group.id}/join`))).toEqual([403, "NOT_PUBLIC"])
    expect((await client(bob, "GET", `/${group.id}`)).data).toMatchObject({ description: "Strange", role: "member" })
    expect(await decide(group.id, "approve")).toMatchObject({ status: "approved" })
    expect((await client(eve, "GET", `/${group.id}`)).data).toMatchObject({ moderation: "shown" })
  })

  it("takes the texts of a rejected group; an admin's PATCH shows it again [I6.3]", async () => {
    const [ada, eve] = [await user(), await user()]
    const { data: group } = await client(ada, "POST", "", { name: "Odd", description: "Text" })
    expect(await decide(group.id, "reject")).toMatchObject({ status: "rejected" })
    expect((await client(ada, "GET", `/${group.id}`)).data).toMatchObject({
      ...{ name: "Group", description: null, is_public: false, moderation: "rejected", role: "owner" },
    })
    await client(ada, "PATCH", `/${group.id}`, { name: "Clean", is_public: true })
    expect(brief(await client(eve, "GET", `/${group.id}`))).toEqual([404, "NOT_FOUND"])
    await admin("PATCH", `/groups/${group.id}`, { is_public: true })
    expect((await client(eve, "GET", `/${group.id}`)).data).toMatchObject({ name: "Clean", moderation: "shown" })
  })

  it("lets whoever sees a group report it [I6.4]", async () => {
    const [ada, eve] = [await user(), await user()]
    const { data: group } = await client(ada, "POST", "", { name: "Private", is_public: false })
    const report = (by: TestUser) =>
      server.api.call("POST", "/client/reports", by.as, { target_type: "group", target_id: group.id, reason: "rude" })
    expect(brief(await report(eve))).toEqual([404, "NOT_FOUND"])
    await admin("POST", `/groups/${group.id}/members`, { app_user_id: eve.id })
    expect((await report(eve)).status).toBe(201)
    expect(await itemOf(group.id)).toMatchObject({ status: "pending" })
  })
})
