import { parse } from "csv-parse/sync"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { aProject, aUser, daysAgo, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

type Cells = Readonly<Record<string, string>>

/** Values that break a careless writer of CSV, or that a spreadsheet would run [E13]. */
const names = [
  'say "hi", you',
  "two\nlines\r\nand more",
  "naïve 🦊 日本",
  "=1+1",
  "+49",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "'=1",
  "\\N",
]
const harmless = (name: string) => (/^[=+\-@\t\r]/.test(name) ? `'${name}` : name)
const properties = { 'a "key"': ["x,y", "=1", "line\nbreak", { é: "🦊" }], nothing: null, large: 1e21, small: 1e-7 }

const csvOf = (text: string): ReadonlyArray<Cells> => parse(text, { columns: true, relax_column_count: false })
// biome-ignore lint/suspicious/noExplicitAny: lines come from the wire
const ndjsonOf = (text: string): ReadonlyArray<any> =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))

describe("exports", () => {
  const harness = makeHarness()
  let server: TestServer
  let sql: Sql
  let project: TestProject

  beforeAll(async () => {
    const dataDir = harness.folder()
    server = await harness.server({ DATA_DIR: dataDir })
    sql = sqlIn(dataDir)
  })
  afterAll(harness.clear)
  beforeEach(async () => {
    project = await aProject(server.api)
  })

  const get = (path: string, as = project.owner.as) => fetch(`${server.url}/v1${project.admin}${path}`, { headers: as })
  const textOf = async (path: string) => {
    const response = await get(path)
    const text = await response.text()
    expect([response.status, text.slice(0, 0)]).toEqual([200, ""])
    return text
  }
  const refused = async (path: string) => {
    const response = await get(path)
    const { error } = (await response.json()) as { error: { code: string } }
    return `${response.status} ${error.code}`
  }
  const post = (events: ReadonlyArray<object>) =>
    server.api.ok("POST", `${project.admin}/events`, project.owner.as, { events })

  it("is read back by a CSV parser, and has the same values in NDJSON", async () => {
    const users = await Promise.all(names.map(() => aUser(server.api, project)))
    for (const [at, { id }] of users.entries()) {
      await sql.rows(project.id, "update app_users set email = $2, properties = $3 where id = $1", [
        id,
        names[at],
        properties,
      ])
    }
    await sql.rows(
      project.id,
      `insert into push_tokens (id, app_user_id, platform, provider, token, is_active, created_at)
       select gen_random_uuid(), $1, platform, 'push_a', platform || n, n < 3, now()
       from unnest(array['web', 'ios']) as platform, generate_series(1, 3) as n`,
      [users[0]?.id],
    )
    const response = await get("/users/export")
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="users-export.csv"')
    const cells = csvOf(await response.text())
    const lines = ndjsonOf(await textOf("/users/export?format=ndjson"))
    expect(cells.map(({ id }) => id)).toEqual(users.map(({ id }) => id).toSorted())
    expect(lines.map(({ id }) => id)).toEqual(cells.map(({ id }) => id))
    for (const [at, { id }] of users.entries()) {
      const line = lines.find((each) => each.id === id)
      const cell = cells.find((each) => each["id"] === id)
      expect(line).toMatchObject({ email: names[at], properties, push_token_count: at === 0 ? 4 : 0 })
      expect(line.platform_strings).toEqual(at === 0 ? ["ios", "web"] : [])
      expect(cell?.["email"]).toBe(harmless(names[at] ?? ""))
      expect(JSON.parse(cell?.["properties"] ?? "")).toEqual(properties)
      expect([cell?.["platform_strings"], cell?.["push_token_count"]]).toEqual(at === 0 ? ["ios|web", "4"] : ["", "0"])
      for (const column of ["anonymous_id", "created_at", "last_seen_at"]) expect(cell?.[column]).toBe(line[column])
      expect(line.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  it("is empty for an empty project, and has the users created at `since` or later", async () => {
    const header = "id,email,anonymous_id,created_at,last_seen_at,properties,platform_strings,push_token_count\n"
    expect(await textOf("/users/export")).toBe(header)
    expect(await textOf("/users/export?format=ndjson")).toBe("")
    const [early, late] = [await aUser(server.api, project), await aUser(server.api, project)]
    await sql.rows(project.id, "update app_users set created_at = '2026-01-01T00:00:00Z' where id = $1", [early.id])
    const since = async (text: string) => csvOf(await textOf(`/users/export?since=${encodeURIComponent(text)}`))
    expect((await since("2026-01-01T01:00:00+01:00")).map(({ id }) => id)).toEqual([early.id, late.id].toSorted())
    expect((await since("2026-01-01T00:00:00.001Z")).map(({ id }) => id)).toEqual([late.id])
    expect(await since("9999-12-31")).toEqual([])
  })

  it("has each of 12,000 users once, while others are added and removed", async () => {
    const fill = (first: number, count: number) =>
      sql.rows(
        project.id,
        `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
           is_disabled, created_at, updated_at)
         select gen_random_uuid(), 'x', 'anon_' || n, '[]', jsonb_build_object('text', repeat('é', n % 97)), now(), now(),
           false, now(), now() from generate_series($1::int, $2::int) as n`,
        [first, first + count - 1],
      )
    await fill(1, 12_000)
    const response = await get("/users/export?format=ndjson")
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    for (let turn = 0; ; turn += 1) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) break
      text += value
      if (turn < 5) await fill(20_000 + turn * 100, 100)
      if (turn === 3) await sql.rows(project.id, "delete from app_users where anonymous_id = 'anon_7'")
    }
    const seen = ndjsonOf(text).map(({ anonymous_id }) => anonymous_id as string)
    expect(new Set(seen).size).toBe(seen.length)
    const all = new Set(seen)
    const missing = Array.from({ length: 12_000 }, (_, at) => `anon_${at + 1}`).filter((name) => !all.has(name))
    expect(missing.filter((name) => name !== "anon_7")).toEqual([])
  })

  it("sends a user's events, in both formats and within bounds", async () => {
    const [user, other] = [await aUser(server.api, project), await aUser(server.api, project)]
    const hours = names.map((_, at) => daysAgo((at + 1) / 24))
    const events = names.map((event_name, at) => ({
      app_user_id: user.id,
      event_name,
      properties,
      occurred_at: hours[at],
    }))
    await post([...events, { app_user_id: other.id, event_name: "other" }])
    const path = `/users/${user.id}/events/export`
    const response = await get(path)
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="user-${user.id}-events.csv"`)
    const cells = csvOf(await response.text())
    expect(cells.map((each) => each["event_name"])).toEqual(names.map(harmless).toReversed())
    expect(cells.map((each) => each["occurred_at"])).toEqual(hours.toReversed())
    expect(JSON.parse(cells[0]?.["properties"] ?? "")).toEqual(properties)
    const query = `format=ndjson&since=${hours[3]}&until=${hours[1]}`
    expect(ndjsonOf(await textOf(`${path}?${query}`)).map((each) => each.event_name)).toEqual([names[3], names[2]])
    const named = ndjsonOf(await textOf(`${path}?format=ndjson&event_name=${encodeURIComponent(names[0] ?? "")}`))
    expect(named).toEqual([{ ...events[0], id: expect.any(String) }])
  })

  it("answers errors as JSON, before a file begins", async () => {
    const { id } = await aUser(server.api, project)
    const nobody = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"
    const wrong = ["yesterday", "2026-02-30", "2026-01-01T00:00:00", "0001-01-01", ""]
    for (const since of wrong) {
      expect(await refused(`/users/export?since=${since}`)).toBe("400 INVALID_SINCE")
      expect(await refused(`/users/${id}/events/export?since=${since}`)).toBe("400 INVALID_SINCE")
      expect(await refused(`/users/${id}/events/export?until=${since}`)).toBe("400 INVALID_UNTIL")
    }
    expect(await refused("/users/export?format=xml")).toBe("400 INVALID_INPUT")
    expect(await refused(`/users/${id}/events/export?event_name=`)).toBe("400 INVALID_INPUT")
    expect(await refused("/users/me/events/export")).toBe("400 INVALID_USER_ID")
    expect(await refused("/users/me/export")).toBe("400 INVALID_USER_ID")
    expect(await refused(`/users/${nobody}/events/export`)).toBe("404 NOT_FOUND")
    expect(await refused(`/users/${nobody}/export`)).toBe("404 NOT_FOUND")
    await sql.rows(project.id, "alter table app_users rename to elsewhere")
    expect(await refused("/users/export")).toBe("502 TENANT_UNAVAILABLE")
    expect(await refused(`/users/${id}/export`)).toBe("502 TENANT_UNAVAILABLE")
  })

  it("sends all data of a user, and goes on after a section that fails", async () => {
    const user = await aUser(server.api, project)
    const [link] = await sql.rows<{ id: string }>(
      project.id,
      `insert into account_links (id, app_user_id, provider, provider_id, created_at)
       values (gen_random_uuid(), $1, 'idp_a', 'subject', now()) returning id`,
      [user.id],
    )
    await post([{ app_user_id: user.id, event_name: "lesson", event_id: "caller's" }])
    await sql.rows(project.id, "update app_users set password_hash = 'canary-hash'")
    const path = `/users/${user.id}/export`
    const response = await get(path)
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8")
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="user-${user.id}-export.ndjson"`)
    const text = await response.text()
    expect(text).not.toMatch(/canary|password/)
    expect(ndjsonOf(text).map(({ section }) => section)).toEqual(["app_users", "account_links", "engagement_events"])
    expect(ndjsonOf(text)[1].data.id).toBe(link?.id)
    await sql.rows(project.id, "alter table push_tokens rename to gone")
    await sql.rows(project.id, "alter table user_achievements rename column unlocked_at to canary")
    const broken = await textOf(path)
    expect(broken).not.toMatch(/canary|gone|relation|column/)
    expect(ndjsonOf(broken).map(({ section, error = "" }) => [section, error])).toEqual([
      ["app_users", ""],
      ["account_links", ""],
      ["push_tokens", "SECTION_QUERY_FAILED"],
      ["user_achievements", "SECTION_QUERY_FAILED"],
      ["engagement_events", ""],
    ])
  })

  it("lists what a section of a user's file has, the last first, page by page", async () => {
    const [user, other] = [await aUser(server.api, project), await aUser(server.api, project)]
    const events = Array.from({ length: 5 }, (_, n) => ({
      app_user_id: user.id,
      event_name: `e${n}`,
      properties: { n },
    }))
    for (const [n, event] of events.entries()) await post([{ ...event, occurred_at: daysAgo(9 - n) }])
    await post([{ app_user_id: other.id, event_name: "other" }])
    const records = `/users/${user.id}/records`
    // biome-ignore lint/suspicious/noExplicitAny: pages come from the wire
    const page = async (path: string): Promise<any> => JSON.parse(await textOf(`${records}/${path}`))
    const names = ({ data }: { data: ReadonlyArray<{ event_name: string }> }) =>
      data.map(({ event_name }) => event_name)
    const first = await page("engagement_events?limit=3")
    const second = await page(`engagement_events?limit=3&cursor=${first.next_cursor}`)
    expect([names(first), names(second), second.next_cursor]).toEqual([["e4", "e3", "e2"], ["e1", "e0"], null])
    expect(first.data[0]).toMatchObject({ app_user_id: user.id, properties: { n: 4 } })
    expect(await page("user_streaks")).toEqual({ data: [], next_cursor: null })
    expect(await page("app_users")).toMatchObject({ data: [{ id: user.id }], next_cursor: null })

    const cursors = [["x"], ["2026-02-30 00:00:00+00", user.id], ["0000-01-01 00:00:00+00", user.id], [1, 2], {}]
    for (const key of [...cursors, ["9999-12-31 23:59:59+99", user.id], ["2026-01-01 00:00:00+00", "1"]]) {
      const cursor = Buffer.from(JSON.stringify(key)).toString("base64url")
      expect(await refused(`${records}/engagement_events?cursor=${cursor}`)).toBe("400 INVALID_CURSOR")
    }
    expect(await refused(`${records}/engagement_events?cursor=%00`)).toBe("400 INVALID_CURSOR")
    expect(await refused(`${records}/user_streaks?cursor=${first.next_cursor}`)).toBe("400 INVALID_CURSOR")
    expect(await refused(`${records}/engagement_events?limit=0`)).toBe("400 INVALID_LIMIT")
    expect(await refused(`${records}/passwords`)).toBe("404 NOT_FOUND")
    expect(await refused(`/users/${crypto.randomUUID()}/records/push_tokens`)).toBe("404 NOT_FOUND")
    expect(await refused("/users/17/records/push_tokens")).toBe("400 INVALID_USER_ID")
  })

  it("breaks a file off whose next page cannot be read, and reads no page after the client has hung up", async () => {
    await sql.rows(
      project.id,
      `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       select gen_random_uuid(), 'x', 'anon_' || n, '[]',
         jsonb_build_object('text', (select string_agg(md5(n::text || m), '') from generate_series(1, 1000) as m)),
         now(), now(), false, now(), now() from generate_series(1, 600) as n`,
    )
    const response = await get("/users/export")
    const reader = response.body?.getReader()
    await reader?.read()
    await sql.rows(project.id, "alter table app_users rename to elsewhere")
    const rest = (async () => {
      while (!(await reader?.read())?.done);
    })()
    await expect(rest).rejects.toThrow()
    await expect.poll(() => `${server.output()}${server.errors()}`).toContain("download broke off")
    await sql.rows(project.id, "alter table elsewhere rename to app_users")

    const lastPage = async () => {
      const [row] = await sql.rows<{ at: string }>(
        project.id,
        `select max(query_start)::text as at from pg_stat_activity
         where datname = current_database() and application_name = 'hearth' and query like '%string_agg(line%'`,
      )
      return row?.at
    }
    const hungUp = await get("/users/export")
    const second = hungUp.body?.getReader()
    await second?.read()
    await second?.cancel()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const before = await lastPage()
    expect(before).toEqual(expect.any(String))
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(await lastPage()).toBe(before)
    expect(await textOf("/users/export?format=ndjson").then((text) => ndjsonOf(text).length)).toBe(600)
  })
})
