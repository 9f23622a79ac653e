import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { startEmbeddedDatabase } from "@hearth/adapters"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Finding } from "../../src/cli/doctor/finding.ts"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

describe("PostgreSQL takes no writes", () => {
  const harness = makeHarness()
  let sql: Sql
  let environment: Readonly<Record<string, string>>
  let server: TestServer
  let worker: string
  let project: TestProject

  beforeAll(async () => {
    ;({ environment, sql } = await harness.database())
    server = await harness.server({ ...environment, LOG_LEVEL: "error" })
    project = await aProject(server.api)
    const { says } = await harness.worker({ ...environment, WORKER_PORT: "0" })
    const [, address = ""] = await says(/"operators":"([^"]+)"/)
    worker = address
  })
  afterAll(harness.clear)

  const readiness = async (url: string) => {
    const response = await fetch(`${url}/health/ready`)
    const { ms: _, ...line } = JSON.parse((await response.text()).split("\n")[0] ?? "")
    return [response.status, response.headers.get("retry-after"), line]
  }
  const both = () => Promise.all([server.url, worker].map(readiness))
  const isReady = [200, null, { dependency: "control-database", status: "ok" }]
  const isNot = [503, "1", { dependency: "control-database", status: "failed" }]
  const judgeWrites = async (DATABASE_URL = environment["DATABASE_URL"] ?? "") => {
    const run = harness.launch("hearth", {
      args: ["doctor", "--json"],
      environment: { ...environment, DATABASE_URL },
    })
    await run.ended
    const { checks } = JSON.parse(run.output()) as { readonly checks: ReadonlyArray<Finding> }
    return checks.find(({ check }) => check === "writes")
  }

  it("is not ready, and reads are answered all the same; then all is well again", async () => {
    await expect.poll(both).toEqual([isReady, isReady])
    expect(await judgeWrites()).toMatchObject({ status: "ok" })
    await sql.rows("postgres", "alter system set default_transaction_read_only = on")
    await sql.rows("postgres", "select pg_reload_conf()")
    await expect.poll(both).toEqual([isNot, isNot])
    expect((await server.api.root("/health/live")).status).toBe(200)
    await server.api.ok("GET", project.admin, project.owner.as)
    const change = await server.api.call("PATCH", project.admin, project.owner.as, { name: "Another" })
    expect([change.status, change.headers.get("retry-after")]).toEqual([503, "1"])
    expect(await judgeWrites()).toMatchObject({
      status: "failed",
      message: "PostgreSQL takes no writes: default_transaction_read_only is on.",
    })
    await sql.rows("postgres", "alter system reset default_transaction_read_only")
    await sql.rows("postgres", "select pg_reload_conf()")
    await expect.poll(both).toEqual([isReady, isReady])
  })

  it("is seen by hearth doctor where it was set for the control database alone", async () => {
    await sql.rows("postgres", "alter database hearth set default_transaction_read_only = on")
    const url = Object.assign(new URL(environment["DATABASE_URL"] ?? ""), { pathname: "/postgres" })
    expect(await judgeWrites(url.href)).toMatchObject({ status: "failed" })
  })

  it("is seen by hearth doctor where it is a replica", async () => {
    const dataDir = harness.folder()
    const primary = await startEmbeddedDatabase({ dataDir, durable: false })
    await primary.stop()
    writeFileSync(join(primary.dataDir, "standby.signal"), "")
    const replica = await startEmbeddedDatabase({ dataDir, durable: false })
    const finding = await judgeWrites(replica.tcpUrl).finally(replica.stop)
    expect(finding).toMatchObject({ status: "failed", message: "PostgreSQL is a replica, and takes no writes." })
  })
})
