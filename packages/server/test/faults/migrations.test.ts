import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { databaseOf, type Sql } from "../harness/sql.ts"

const lookMillis = 30_000

// One installation, that ends with a control database too new for it.
describe("projects of an earlier release", { shuffle: false }, () => {
  const harness = makeHarness()
  let environment: Readonly<Record<string, string>>
  let sql: Sql
  let owned: ReadonlyArray<{ readonly project: TestProject; readonly user: TestUser }>

  beforeAll(async () => {
    const database = await harness.database()
    sql = database.sql
    environment = { ...database.environment, LOG_LEVEL: "info" }
    const server = await harness.server(environment)
    const made = []
    for (let n = 0; n < 5; n += 1) {
      const project = await aProject(server.api)
      made.push({ project, user: await aUser(server.api, project) })
    }
    owned = made
    await server.end("SIGTERM")
  })
  afterAll(harness.clear)

  const ownedBy = (n: number) => {
    const found = owned[n]
    if (found === undefined) throw new Error("Five were made.")
    return found
  }
  /** Takes the last step but a few from a project: deep links are as if they had never been. */
  const rewind = async (id: string) => {
    await sql.rows(
      id,
      `drop table if exists tracked_link_users, tracked_link_clicks, tracked_links, deep_link_config;
       delete from mikro_orm_migrations where name = '0005-deep-links'`,
    )
    await sql.rows("postgres", `comment on database ${databaseOf(id)} is 'schema 0004'`)
  }
  const noteOf = async (id: string) => {
    const text = "select shobj_description(oid, 'pg_database') as note from pg_database where datname = $1"
    return (await sql.rows<{ note: string }>("postgres", text, [databaseOf(id)]))[0]?.note
  }
  const look = ({ api }: TestServer, n: number) => {
    const { project } = ownedBy(n)
    return api.call("GET", `${project.admin}/deep-links/tracked`, project.owner.as)
  }
  const readiness = async (server: TestServer) => {
    const response = await server.api.root("/health/ready")
    const lines = (await response.text()).trim().split("\n")
    const found = lines.map((line) => JSON.parse(line)).find(({ dependency }) => dependency === "project-databases")
    return { httpStatus: response.status, ...found }
  }

  it("are brought up to date while the service serves, but for one that somebody has locked", async () => {
    const present = await noteOf(ownedBy(0).project.id)
    for (const { project } of owned) await rewind(project.id)
    const { project: locked } = ownedBy(0)
    const blocker = await sql.session(locked.id)
    await blocker.run("begin")
    await blocker.run("update app_users set display_name = display_name")

    const server = await harness.server(environment)
    expect((await server.api.root("/health/live")).status).toBe(200)
    const began = performance.now()
    const refused = await look(server, 0)
    expect(performance.now() - began).toBeLessThan(6_000)
    expect([refused.status, refused.code]).toEqual([503, "TENANT_BUSY"])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    for (const n of [1, 2, 3, 4]) expect((await look(server, n)).status).toBe(200)
    await expect
      .poll(() => readiness(server))
      .toMatchObject({
        httpStatus: 200,
        status: "degraded",
        current: 4,
        failing: 1,
        examples: [{ database: databaseOf(locked.id), hindrance: "failing" }],
      })
    for (const { project } of owned.slice(1)) expect(await noteOf(project.id)).toBe(present)
    expect(server.errors()).toMatch(/could not be brought up to date.*0005-deep-links/)
    expect(server.errors()).toMatch(/databases of projects are brought up to date/)
    const lines = server.errors().trim().split("\n")
    const told = lines.map((line) => JSON.parse(line)).filter(({ project_id }) => project_id !== undefined)
    const version = /^schema (\d{4})/.exec(present ?? "")?.[1]
    for (const { project } of owned.slice(1))
      expect(told).toContainEqual(
        expect.objectContaining({
          ...{ level: "info", message: "the database of a project was brought up to date", project_id: project.id },
          // The later steps were left in place.
          ...{ from: version, to: version, ms: expect.any(Number) },
        }),
      )
    expect(told).toContainEqual(expect.objectContaining({ level: "warn", project_id: locked.id }))

    await blocker.run("commit")
    await blocker.end()
    await expect
      .poll(() => look(server, 0), { timeout: lookMillis + 10_000, interval: 500 })
      .toMatchObject({ status: 200 })
    // A project is served from the moment that it can be; the note of its schema is written after that.
    await expect.poll(() => readiness(server)).toMatchObject({ httpStatus: 200, status: "ok", current: 5, failing: 0 })
    expect(await server.end("SIGTERM")).toEqual({ code: 0, signal: null })
  })

  it("are brought up to date by a worker that runs apart, too", async () => {
    const present = await noteOf(ownedBy(0).project.id)
    for (const { project } of owned) await rewind(project.id)
    const worker = await harness.worker({ ...environment, WORKER_PORT: "0" })
    for (const { project } of owned) await expect.poll(() => noteOf(project.id)).toBe(present)
    expect(await worker.end("SIGTERM")).toEqual({ code: 0, signal: null })
  })

  it("do not keep the service from stopping while one is locked", async () => {
    const { project } = ownedBy(0)
    await rewind(project.id)
    const blocker = await sql.session(project.id)
    await blocker.run("begin")
    await blocker.run("update app_users set display_name = display_name")
    const server = await harness.server(environment)
    const waiting = look(server, 0)
    await expect
      .poll(() => sql.rows("postgres", "select 1 from pg_stat_activity where wait_event_type = 'Lock'"))
      .toHaveLength(1)
    const began = performance.now()
    expect(await server.end("SIGTERM")).toEqual({ code: 0, signal: null })
    expect(performance.now() - began).toBeLessThan(9_000)
    await waiting.catch(() => {})
    await blocker.run("rollback")
    await blocker.end()
  })

  it("refuse a service that is older than the control database needs, in one sentence", async () => {
    await sql.rows("hearth", "insert into mikro_orm_migrations (name, needs) values ('9999-later', '99.0.0')")
    for (const script of ["server", "worker"] as const) {
      const process = harness.launch(script, { environment: { PORT: "0", ...environment } })
      expect(await process.ended).toEqual({ code: 1, signal: null })
      expect(process.errors()).toMatch(/^The database hearth needs Hearth 99\.0\.0 or later, and this is \d.*\.\n$/)
    }
    await sql.rows("hearth", "delete from mikro_orm_migrations where name = '9999-later'")
    await (await harness.server(environment)).end("SIGTERM")
  })
})
