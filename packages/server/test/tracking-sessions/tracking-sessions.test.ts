import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Started {
  readonly id: string
  readonly session_id: string
  readonly started_at: string
}

describe("tracking sessions, from the outside", () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const post = <Data = Record<string, unknown>>(user: TestUser, call: string, body?: unknown) =>
    server.api.call<Data>("POST", `/client/sessions/${call}`, user.as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const eventsOf = async (user: TestUser) =>
    (
      await server.api.ok<ReadonlyArray<{ event_name: string; properties: object; occurred_at: string }>>(
        "GET",
        `${project.admin}/users/${user.id}/events`,
        project.owner.as,
      )
    )
      .filter(({ event_name }) => event_name.startsWith("session_"))
      .toReversed()
  /** Moves all that is known of the time of a user's sessions back by so many minutes. */
  const age = (user: TestUser, minutes: number) =>
    sql.rows(
      project.id,
      `update tracking_sessions set started_at = started_at - $2 * interval '1 minute',
         last_seen_at = last_seen_at - $2 * interval '1 minute', check_at = check_at - $2 * interval '1 minute'
       where app_user_id = $1`,
      [user.id, minutes],
    )

  const text = "x".repeat(256)
  it.each([
    ["no session_id", {}],
    ["a session_id that is null", { session_id: null }],
    ["a session_id that is no text", { session_id: 7 }],
    ["an empty session_id", { session_id: "" }],
    ["a session_id of 256 characters", { session_id: text }],
    ["a session_id with NUL", { session_id: "a\u0000b" }],
    ["half a surrogate pair", { session_id: "\ud800" }],
  ])("refuses %s, on all three [A5, H5.1]", async (_, body) => {
    const user = await aUser(server.api, project)
    for (const call of ["start", "end", "heartbeat"]) {
      const answer = await post(user, call, body)
      expect(brief(answer)).toEqual([400, "INVALID_INPUT"])
      expect(JSON.parse(answer.text).error.details.issues).toMatchObject([{ path: "session_id" }])
    }
  })

  it.each([
    ["a platform that is no text", { platform: 1 }, "platform"],
    ["a platform of 256 characters", { platform: text }, "platform"],
    ["an app_version that is an object", { app_version: {} }, "app_version"],
    ["a device_model that is a list", { device_model: ["a"] }, "device_model"],
    ["metadata that is null", { metadata: null }, "metadata"],
    ["metadata that is a list", { metadata: [] }, "metadata"],
    ["metadata that is text", { metadata: "{}" }, "metadata"],
    ["metadata of over 16 KB", { metadata: { t: "x".repeat(16 * 1024 - 7) } }, "metadata"],
  ])("refuses %s [H5.1]", async (_, body, path) => {
    const user = await aUser(server.api, project)
    const answer = await post(user, "start", { session_id: "s", ...body })
    expect(brief(answer)).toEqual([400, "INVALID_INPUT"])
    expect(JSON.parse(answer.text).error.details.issues).toMatchObject([{ path }])
    expect(brief(await post(user, "heartbeat", { session_id: "s" }))).toEqual([404, "UPDATE_FAILED"])
  })

  it("refuses a body that is none, in all three", async () => {
    const user = await aUser(server.api, project)
    for (const call of ["start", "end", "heartbeat"])
      for (const body of [undefined, null, [], "text", 7])
        expect(brief(await post(user, call, body))).toEqual([400, "INVALID_INPUT"])
  })

  it("takes texts and metadata of the greatest size, and nulls for what an app does not say [H5.1]", async () => {
    const user = await aUser(server.api, project)
    const longest = "\u{1F98A}".repeat(127)
    const body = {
      ...{ session_id: `${longest}s`, platform: longest, app_version: longest, device_model: longest },
      metadata: { t: "x".repeat(16 * 1024 - 8) },
    }
    const { session_id, platform, app_version } = body
    expect(await post(user, "start", body)).toMatchObject({
      ...{ status: 201, data: { session_id, platform, app_version } },
    })
    const nothing = { session_id: "s", platform: null, app_version: null, device_model: null }
    expect((await post(user, "start", nothing)).status).toBe(201)
    expect((await post(user, "heartbeat", nothing)).data).toMatchObject({ ...nothing, metadata: {} })
  })

  it("answers exactly the fields of the spec, and the same for a repeated start [H5.1]", async () => {
    const user = await aUser(server.api, project)
    const body = { session_id: "s", platform: "ios", app_version: "1.0", device_model: "X", metadata: { a: 1 } }
    const started = await post<Started>(user, "start", body)
    expect([started.status, Object.keys(started.data).sort()]).toEqual([
      ...[201, ["app_version", "id", "platform", "session_id", "started_at"]],
    ])
    const again = await Promise.all(Array.from({ length: 20 }, () => post(user, "start", { ...body, platform: "web" })))
    expect(again.map(({ status, text }) => [status, text])).toEqual(Array(20).fill([201, started.text]))
    const { id, started_at } = started.data
    expect((await post(user, "heartbeat", { session_id: "s" })).data).toEqual({
      ...{ ...body, id, started_at, ended_at: null, duration_seconds: expect.any(Number) },
    })
    const ended = await post(user, "end", { session_id: "s" })
    expect([ended.status, ended.data]).toEqual([
      200,
      { id, session_id: "s", ended_at: expect.any(String), duration_seconds: expect.any(Number) },
    ])
    expect((await post(user, "end", { session_id: "s" })).text).toBe(ended.text)
    expect((await post(user, "start", body)).text).toBe(started.text)
    expect(brief(await post(user, "heartbeat", { session_id: "s" }))).toEqual([404, "UPDATE_FAILED"])
    expect((await eventsOf(user)).map(({ event_name }) => event_name)).toEqual(["session_started", "session_ended"])
  })

  it("makes one session of 20 first starts at once [H5.1]", async () => {
    const user = await aUser(server.api, project)
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(user, "start", { session_id: "s" })))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await eventsOf(user)).toHaveLength(1)
  })

  it("answers 404 for another user's session, as for none [H5.1]", async () => {
    const [ada, bob] = [await aUser(server.api, project), await aUser(server.api, project)]
    await post(ada, "start", { session_id: "s" })
    for (const call of ["end", "heartbeat"]) {
      const [others, none] = [await post(bob, call, { session_id: "s" }), await post(bob, call, { session_id: "none" })]
      expect(brief(others)).toEqual([404, "UPDATE_FAILED"])
      const error = ({ text: body }: Answer<unknown>) => ({ ...JSON.parse(body).error, request_id: null })
      expect(error(others)).toEqual(error(none))
    }
    expect(await eventsOf(ada)).toHaveLength(1)
  })

  it("has a lapsed session ended at its last sign of life for end, heartbeat, start and figures [H5.1]", async () => {
    const user = await aUser(server.api, project)
    const { data } = await post<Started>(user, "start", { session_id: "s" })
    await age(user, 10)
    const beaten = await post<{ duration_seconds: number }>(user, "heartbeat", { session_id: "s" })
    expect(beaten.data.duration_seconds).toBeGreaterThanOrEqual(600)
    // Not due yet, so that the background leaves it alone.
    await sql.rows(
      project.id,
      `update tracking_sessions set last_seen_at = last_seen_at - interval '30 minutes',
         started_at = started_at - interval '30 minutes' where id = $1`,
      [data.id],
    )
    expect(brief(await post(user, "heartbeat", { session_id: "s" }))).toEqual([404, "UPDATE_FAILED"])
    const [row] = await sql.rows<{ last_seen_at: Date; ended_at: Date | null }>(
      project.id,
      "select last_seen_at, ended_at from tracking_sessions where id = $1",
      [data.id],
    )
    expect(row?.ended_at).toBeNull()
    const ended = await post<{ ended_at: string }>(user, "end", { session_id: "s" })
    expect(ended.data).toMatchObject({ ended_at: row?.last_seen_at.toISOString() })
    const told = (await eventsOf(user)).filter(({ event_name }) => event_name === "session_ended")
    expect(told).toMatchObject([{ occurred_at: ended.data.ended_at, properties: { session_id: "s" } }])
  })

  it("ends what has lapsed in the background, once, whatever apps do at the same time [H5.1]", async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => aUser(server.api, project)))
    for (const user of users) for (const at of [1, 2, 3]) await post(user, "start", { session_id: `s${at}` })
    for (const user of users) await age(user, 40)
    // What comes next wakes the background, which finds them.
    const calls = users.flatMap((user) => [
      ...[post(user, "start", { session_id: "new" }), post(user, "end", { session_id: "s1" })],
      ...[post(user, "heartbeat", { session_id: "s2" }), post(user, "start", { session_id: "s3" })],
    ])
    expect((await Promise.all(calls)).filter(({ status }) => status >= 500)).toEqual([])
    const open = () =>
      sql.rows(
        project.id,
        "select from tracking_sessions where session_id <> 'new' and ended_at is null and app_user_id = any($1)",
        [users.map(({ id }) => id)],
      )
    await expect.poll(async () => (await open()).length, { timeout: 40_000, interval: 500 }).toBe(0)
    for (const user of users) {
      const ended = (await eventsOf(user)).filter(({ event_name }) => event_name === "session_ended")
      expect(ended.map(({ properties }) => properties)).toHaveLength(3)
      expect(ended).toMatchObject(Array(3).fill({ properties: { duration_seconds: 0 } }))
    }
  })

  it("goes with its user, who may be removed while sessions start and end", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => aUser(server.api, project)))
    const calls = users.flatMap((user) => [
      ...[post(user, "start", { session_id: "a" }), post(user, "start", { session_id: "b" })],
      server.api.call("DELETE", "/client/users/me", user.as),
      ...[post(user, "end", { session_id: "a" }), post(user, "heartbeat", { session_id: "b" })],
    ])
    expect((await Promise.all(calls)).filter(({ status }) => status >= 500)).toEqual([])
    const left = await sql.rows(project.id, "select from tracking_sessions where app_user_id = any($1)", [
      users.map(({ id }) => id),
    ])
    expect(left).toEqual([])
  })
})
