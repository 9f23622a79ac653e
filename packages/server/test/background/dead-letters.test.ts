import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aStreak, aUser, streaksOf, type TestProject } from "../harness/fixtures.ts"
import { type Harness, makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

interface Letter {
  readonly id: string
  readonly event_id: string | null
  readonly topic: string | null
  readonly app_user_id: string | null
  readonly reaction: string
  readonly error: string
  readonly status: string
  readonly tries: number
  readonly first_failed_at: string
}

// The database refuses the streak of events of that hour, as it would refuse data that it cannot hold.
const poisonedAt = "2026-01-05T11:11:11.000Z"
const poison = [
  `create function refuse() returns trigger language plpgsql as $$
   begin
     if new.occurred_at = '${poisonedAt}' then raise exception 'poisoned' using errcode = '22003'; end if;
     return new;
   end $$`,
  "create trigger refuse before insert on streak_events for each row execute function refuse()",
]
const antidote = "drop trigger refuse on streak_events"

describe("a poisoned event in a busy project", () => {
  const harness: Harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let sql: Sql

  beforeAll(async () => {
    const dataDir = harness.folder()
    server = await harness.server({ DATA_DIR: dataDir })
    sql = sqlIn(dataDir)
    project = await aProject(server.api)
    await aStreak(server.api, project)
    for (const statement of poison) await sql.rows(project.id, statement)
  })
  afterAll(harness.clear)

  const dead = `/background/dead`
  const list = async (query = "") =>
    await server.api.ok<ReadonlyArray<Letter>>("GET", `${project.admin}${dead}${query}`, project.owner.as)
  const longest = async (userId: string) => (await streaksOf(server.api, project, userId))[0]?.longest_count
  const lesson = (app_user_id: string, occurred_at: string) => ({
    app_user_id,
    event_name: "lesson_completed",
    occurred_at,
  })
  const post = (events: ReadonlyArray<object>) =>
    server.api.ok("POST", `${project.admin}/events`, project.owner.as, { events })

  it("costs that event and nothing else, and is handled once it can be", async () => {
    const [victim, other] = [await aUser(server.api, project), await aUser(server.api, project)]
    await post([
      ...["2026-01-03T10:00:00Z", "2026-01-04T10:00:00Z"].map((at) => lesson(victim.id, at)),
      lesson(victim.id, poisonedAt),
      ...["2026-01-03T10:00:00Z", "2026-01-04T10:00:00Z", "2026-01-05T10:00:00Z"].map((at) => lesson(other.id, at)),
    ])
    await expect.poll(() => sql.rows(project.id, "select from outbox")).toHaveLength(0)
    expect([await longest(other.id), await longest(victim.id)]).toEqual([3, 2])
    await post([lesson(other.id, "2026-01-06T10:00:00Z"), lesson(victim.id, "2026-01-02T10:00:00Z")])
    await expect.poll(() => longest(victim.id)).toBe(3)
    expect(await longest(other.id)).toBe(4)

    const [letter] = await list()
    expect(letter).toMatchObject({
      event_id: expect.any(String),
      topic: null,
      app_user_id: victim.id,
      reaction: "streaks",
      error: expect.stringContaining("poisoned"),
      status: "retrying",
    })
    expect(Object.keys(letter ?? {}).sort()).toEqual(
      [...["app_user_id", "error", "event_id", "first_failed_at", "id", "reaction", "status", "topic", "tries"]].sort(),
    )
    const content = await server.api.ok("GET", `${project.admin}${dead}/${letter?.id}`, project.owner.as)
    expect(content).toMatchObject({ id: letter?.id, payload: null, event: lesson(victim.id, poisonedAt) })
    expect(await list("?status=dead")).toEqual([])
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toMatch(/hearth_dead_letters_total\{reaction="streaks",status="retrying"\} [1-9]/)
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)

    await sql.rows(project.id, antidote)
    const retried = await server.api.ok("POST", `${project.admin}${dead}/${letter?.id}/retry`, project.owner.as)
    expect(retried).toMatchObject({ id: letter?.id, status: "retrying", tries: 0 })
    await expect.poll(() => list()).toEqual([])
    expect(await longest(victim.id)).toBe(4)
    for (const statement of poison.slice(1)) await sql.rows(project.id, statement)
  })

  it("is retried with all others of its reaction, or given up, by those who may", async () => {
    const victim = await aUser(server.api, project)
    await post([lesson(victim.id, poisonedAt)])
    await expect.poll(() => list()).toHaveLength(1)
    const [letter] = await list()
    const viewer = await aDeveloper(server.api)
    await server.api.ok("POST", `${project.admin}/members`, project.owner.as, { email: viewer.email, role: "viewer" })
    const as = (method: "GET" | "POST" | "DELETE", path: string, body?: object) =>
      server.api.call(method, `${project.admin}${dead}${path}`, viewer.as, body)
    expect((await as("GET", "")).status).toBe(200)
    expect((await as("POST", "/retry", {})).status).toBe(403)
    expect((await as("POST", `/${letter?.id}/retry`)).status).toBe(403)
    expect((await as("DELETE", `/${letter?.id}`)).status).toBe(403)

    const owner = (method: "GET" | "POST" | "DELETE", path: string, body?: object) =>
      server.api.call(method, `${project.admin}${dead}${path}`, project.owner.as, body)
    expect(await owner("POST", "/retry", { reaction: "nobody" })).toMatchObject({ data: { retrying: 0 } })
    expect(await owner("POST", "/retry", { reaction: "streaks" })).toMatchObject({ data: { retrying: 1 } })
    expect(await owner("POST", "/retry", { reaction: 5 })).toMatchObject({ status: 400 })
    expect(await owner("POST", `/${randomUUID()}/retry`)).toMatchObject({ status: 404 })
    expect(await owner("GET", "?status=buried")).toMatchObject({ status: 400 })
    expect(await owner("DELETE", `/${letter?.id}`)).toMatchObject({ status: 200, data: { deleted: true } })
    expect(await owner("DELETE", `/${letter?.id}`)).toMatchObject({ status: 200 })
    expect(await list()).toEqual([])
  })
})
