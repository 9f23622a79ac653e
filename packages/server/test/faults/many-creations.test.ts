import { afterEach, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const creations = 130
const developers = 13

describe("many projects created at once", () => {
  const harness = makeHarness()
  // A hundred databases are a gigabyte to remove.
  afterEach(harness.clear, 180_000)

  // A server has at most 56 connections; three of the others are kept for superusers.
  it.each([
    [1, 62],
    [2, 120],
  ])(
    "by %i servers that share %i connections: created or 503, and nobody else notices",
    async (count, maxConnections) => {
      const { environment, sql } = await harness.database({ maxConnections })
      const servers: Array<TestServer> = []
      for (let n = 0; n < count; n += 1) servers.push(await harness.server(environment))
      const [server] = servers
      if (server === undefined) throw new Error("There is at least one server.")
      const tenant = await aProject(server.api)
      const user = await aUser(server.api, tenant)
      const owners = await Promise.all(Array.from({ length: developers }, () => aDeveloper(server.api)))

      let isDone = false
      const callTenant = async () => {
        const statuses = new Map<number, number>()
        while (!isDone) {
          for (const { api } of servers) {
            const event = { app_user_id: user.id, event_name: "lesson_completed" }
            for (const { status } of [
              // Not by the user, whose writes are limited.
              await api.call("POST", `${tenant.admin}/events`, tenant.owner.as, event),
              await api.call("GET", "/client/streaks", user.as),
              await api.call("GET", tenant.admin, tenant.owner.as),
            ])
              statuses.set(status, (statuses.get(status) ?? 0) + 1)
          }
        }
        return statuses
      }
      const calls = callTenant()
      const answers = await Promise.all(
        servers.flatMap(({ api }) =>
          Array.from({ length: creations }, (_, n) =>
            api.call<{ id: string }>("POST", "/admin/projects", owners[n % developers]?.as, { name: `Project ${n}` }),
          ),
        ),
      )
      isDone = true

      const created = answers.filter(({ status }) => status === 201)
      const refused = answers.filter(({ status }) => status === 503)
      expect(answers.filter((answer) => !created.includes(answer) && !refused.includes(answer))).toEqual([])
      expect(created.length).toBeGreaterThanOrEqual(50 * count)
      expect(refused.length).toBeGreaterThan(0)
      for (const { code, headers } of refused) {
        expect(code).toBe("TENANT_BUSY")
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
      }
      const statuses = await calls
      expect([...statuses.keys()]).toEqual([200])
      expect(statuses.get(200)).toBeGreaterThan(5)

      const rows = await sql.rows<{ id: string; is_ready: boolean }>("hearth", "select id, is_ready from projects")
      const databases = await sql.rows(
        "postgres",
        "select datname from pg_database where datname ~ '^hearth_[0-9a-f]{32}$' or datname ~ '^hearth_.*_building$'",
      )
      expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([tenant.id, ...created.map(({ data }) => data.id)]))
      expect(rows.filter((row) => !row.is_ready)).toEqual([])
      expect(databases).toHaveLength(rows.length)
      const ended = await Promise.all(servers.map((one) => one.end("SIGTERM")))
      expect(ended).toEqual(servers.map(() => ({ code: 0, signal: null })))
    },
  )
})
