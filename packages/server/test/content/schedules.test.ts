import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

type Row = Readonly<Record<string, unknown>> & { readonly id: string }

describe("content schedules, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let library: string

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    library = await aLibrary()
  })
  afterAll(harness.clear)

  const admin = <Data = Row>(method: string, path: string, body?: unknown, of = project) =>
    server.api.call<Data>(method, `${of.admin}/content/${path}`, of.owner.as, body)
  const aLibrary = async () => (await admin("POST", "libraries", { name: "Library" })).data.id
  const addItems = async (libraryId: string, ...titles: ReadonlyArray<string>) => {
    const items = titles.map((title) => ({ title, body: "Body" }))
    return (await admin<ReadonlyArray<Row>>("POST", `libraries/${libraryId}/items`, { items })).data
  }
  const create = (more: object = {}) =>
    admin("POST", "schedules", { library_id: library, name: "Daily", schedule_type: "daily_rotation", ...more })
  const brief = async (answer: Promise<{ readonly status: number; readonly code?: unknown }>) => {
    const { status, code } = await answer
    return `${status} ${code}`
  }

  it("are made, listed, changed and removed [I1.3, I1.5]", async () => {
    const made = await create()
    expect(made.status).toBe(201)
    const { id } = made.data
    expect(made.data).toEqual({
      ...{ id, library_id: library, name: "Daily", schedule_type: "daily_rotation", is_active: true },
      ...{ config: { cron: "0 9 * * *", timezone: "UTC" }, workflow_schedule_id: `content-schedule-${id}` },
      config_key: expect.stringMatching(/^content_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      ...{ created_at: expect.stringMatching(/\.\d{3}Z$/), updated_at: expect.stringMatching(/Z$/) },
    })
    const listed = await admin<ReadonlyArray<Row>>("GET", "schedules?limit=1")
    expect(listed.data).toEqual([{ ...made.data, library_name: "Library" }])
    expect(JSON.parse(listed.text)).toMatchObject({ total: 1, offset: 0, limit: 1 })
    const config = { cron: "30 7 * * MON", timezone: "Europe/Berlin", include_authored: true }
    const changed = await admin("PATCH", `schedules/${id}`, { config, schedule_type: "sequential", name: "Other" })
    expect(changed.data).toMatchObject({ config, schedule_type: "sequential", name: "Other", is_active: true })
    expect(await admin("PATCH", `schedules/${id}`, { unknown: 1 })).toMatchObject({ status: 200, data: changed.data })
    expect(await admin("DELETE", `schedules/${id}`)).toMatchObject({ status: 200, data: { deleted: true } })
    expect(await brief(admin("DELETE", `schedules/${id}`))).toBe("404 NOT_FOUND")
    expect((await admin("GET", "schedules")).data).toEqual([])
  })

  it("refuse what is no schedule, with the code of what is wrong [I1.5, A5]", async () => {
    const invalid: ReadonlyArray<object> = [
      ...[{ schedule_type: "hourly" }, { schedule_type: 5 }, { schedule_type: null }],
      ...[{ schedule_type: "random" }, { schedule_type: "sequential", config: { timezone: "UTC" } }],
      ...["* * * *", "* * * * * *", "60 9 * * *", "0 0 30 2 *", "@daily", "", null, 5, ["0 9 * * *"]].map((cron) => ({
        config: { cron },
      })),
      ...["+02:00", "Mars/Olympus", "", null, {}, "UTC\u0001"].map((timezone) => ({ config: { timezone } })),
      ...[null, [], "0 9 * * *", 5].map((config) => ({ config })),
      { config: { include_authored: "yes" } },
    ]
    for (const more of invalid)
      expect(await brief(create(more)), JSON.stringify(more)).toBe("400 INVALID_SCHEDULE_CONFIG")
    for (const more of [
      { name: "" },
      { name: 5 },
      { name: undefined },
      { library_id: "x" },
      { schedule_type: undefined },
    ])
      expect(await brief(create(more)), JSON.stringify(more)).toBe("400 INVALID_INPUT")
    expect(await brief(create({ library_id: randomUUID() }))).toBe("404 NOT_FOUND")
    expect((await admin("GET", "schedules")).data).toEqual([])
    const { id } = (await create()).data
    const patch = (changes: object, of: string = id) => brief(admin("PATCH", `schedules/${of}`, changes))
    expect(await patch({ schedule_type: "random" })).toBe("400 INVALID_SCHEDULE_CONFIG")
    expect(await patch({ config: { cron: "0 0 31 4 *" } })).toBe("400 INVALID_SCHEDULE_CONFIG")
    expect(await patch({ is_active: "no" })).toBe("400 INVALID_INPUT")
    for (const gone of [randomUUID(), "x"]) {
      expect(await patch({ name: "x" }, gone)).toBe("404 NOT_FOUND")
      expect(await brief(admin("DELETE", `schedules/${gone}`))).toBe("404 NOT_FOUND")
      expect(await brief(admin("POST", `schedules/${gone}/deliver`))).toBe("404 NOT_FOUND")
      expect(await brief(admin("GET", `schedules/${gone}/preview`))).toBe("404 NOT_FOUND")
    }
    await admin("DELETE", `schedules/${id}`)
  })

  it("show their next ticks, and deliver on demand [I1.4]", async () => {
    const own = await aLibrary()
    const { id } = (await create({ library_id: own })).data
    expect(await brief(admin("POST", `schedules/${id}/deliver`))).toBe("409 NOTHING_TO_DELIVER")
    const [a, b] = await addItems(own, "a", "b")
    const preview = (query = "") => admin<ReadonlyArray<Row>>("GET", `schedules/${id}/preview${query}`)
    const shown = await preview()
    expect(shown.data.map(({ title }) => title)).toEqual(["a", "b", "a", "b", "a", "b", "a"])
    expect(shown.data[0]).toEqual({ at: expect.stringMatching(/T09:00:00\.000Z$/), item_id: a?.id, title: "a" })
    expect([(await preview("?count=50")).data.length, (await preview("?count=1")).data.length]).toEqual([50, 1])
    for (const count of ["0", "51", "x", "-1", "1.5", ""])
      expect(await brief(preview(`?count=${count}`))).toBe("400 INVALID_INPUT")
    const delivered = await admin("POST", `schedules/${id}/deliver`)
    expect(delivered).toMatchObject({ status: 201, data: { schedule_id: id, item_id: a?.id } })
    expect((await preview("?count=1")).data).toMatchObject([{ item_id: b?.id }])
    await admin("DELETE", `libraries/${own}`)
    expect((await admin("GET", "schedules")).data).toEqual([])
  })

  it("are seen by users of the project, without what is hidden [I1.3a]", async () => {
    const own = await aLibrary()
    const user = await aUser(server.api, project)
    const written = await server.api.ok<Row>("POST", `/client/content/libraries/${own}/items`, user.as, {
      body: "Mine",
    })
    const [a, b] = await addItems(own, "a", "b")
    const { id } = (await create({ library_id: own, config: { include_authored: true } })).data
    for (let turn = 0; turn < 3; turn += 1) await admin("POST", `schedules/${id}/deliver`)
    const today = async (query = "") =>
      server.api.call<ReadonlyArray<Row>>("GET", `/client/content/today${query}`, user.as)
    expect((await today()).data.map((row) => row.id)).toEqual([b?.id, a?.id, written.id])
    expect((await today()).data[2]).toMatchObject({
      ...{ schedule_name: "Daily", schedule_type: "daily_rotation", delivered_at: expect.stringMatching(/Z$/) },
      ...{ library_id: own, body: "Mine", owner_app_user_id: user.id, is_active: true },
    })
    expect(JSON.parse((await today("?limit=1&offset=1")).text)).toMatchObject({
      data: [{ id: a?.id }],
      total: 3,
      limit: 1,
    })
    await admin("PATCH", `items/${a?.id}`, { is_active: false })
    expect((await today()).data.map((row) => row.id)).toEqual([b?.id, written.id])
    const other = await aProject(server.api)
    const stranger = await aUser(server.api, other)
    expect((await server.api.call("GET", "/client/content/today", stranger.as)).data).toEqual([])
    expect(await brief(admin("DELETE", `schedules/${id}`, undefined, other))).toBe("404 NOT_FOUND")
    await admin("DELETE", `libraries/${own}`)
    expect((await today()).data).toEqual([])
  })

  it("are changed by many at once, one after the other [I1.3]", async () => {
    const { id } = (await create()).data
    const hours = Array.from({ length: 20 }, (_, hour) => hour)
    const change = (hour: number) => admin("PATCH", `schedules/${id}`, { config: { cron: `0 ${hour} * * *` } })
    const answers = await Promise.all(hours.map(change))
    expect(answers.map(({ status }) => status)).toEqual(hours.map(() => 200))
    const [row] = (await admin<ReadonlyArray<Row>>("GET", "schedules")).data
    const [tick] = (await admin<ReadonlyArray<Row>>("GET", `schedules/${id}/preview?count=1`)).data
    const { cron = "" } = (row?.["config"] ?? {}) as { readonly cron?: string }
    expect(new Date(String(tick?.["at"])).getUTCHours()).toBe(Number(cron.split(" ")[1]))
    const ended = await Promise.all([1, 2, 3].map(() => brief(admin("DELETE", `schedules/${id}`))))
    expect(ended.filter((answer) => answer.startsWith("200"))).toHaveLength(1)
  })
})
