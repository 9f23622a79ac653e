import { afterAll, describe, expect, it } from "vitest"
import type { Finding } from "../../src/cli/doctor/finding.ts"
import { makeHarness } from "../harness/harness.ts"

describe("connections that are used up", () => {
  const harness = makeHarness()
  afterAll(harness.clear)

  it("are bounded by the setting that hearth doctor names", async () => {
    const { environment, sql } = await harness.database()
    const remedy = async (user: string) => {
      const url = Object.assign(new URL(environment["DATABASE_URL"] ?? ""), { username: user, password: user })
      const run = harness.launch("hearth", {
        args: ["doctor", "--json"],
        environment: { ...environment, DATABASE_URL: url.href },
      })
      await run.ended
      const { checks } = JSON.parse(run.output()) as { readonly checks: ReadonlyArray<Finding> }
      return checks.find(({ check }) => check === "postgres")?.remedy
    }
    await sql.rows("postgres", "create role few login password 'few' connection limit 2")
    await sql.rows("postgres", "create role many login password 'many'")
    expect(await remedy("few")).toBe(`Take its limit away: alter role "few" connection limit -1;`)
    await sql.rows("postgres", "alter database postgres connection limit 0")
    expect(await remedy("many")).toBe(`Take its limit away: alter database "postgres" connection limit -1;`)
    await sql.rows("postgres", "alter database postgres connection limit -1")
    const [free] = await sql.rows<{ readonly count: number }>(
      "postgres",
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - count(*)::int + 1 as count from pg_stat_activity where backend_type = 'client backend'`,
    )
    const sessions = await Promise.all(Array.from({ length: free?.count ?? 0 }, () => sql.session("postgres")))
    const found = await remedy("many").finally(() => Promise.all(sessions.map((session) => session.end())))
    expect(found).toMatch(/^Set max_connections of PostgreSQL to 55 for each server and worker, .*pg_stat_activity\.$/)
  })
})
