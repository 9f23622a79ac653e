import { setTimeout } from "node:timers/promises"
import { databaseUrl } from "@hearth/test-services"
import { anAccountLink, aProject, aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import type { Postgres } from "../../../src/postgres/index.ts"
import { serverLock } from "../../../src/postgres/schema/locks.ts"
import { versionOf } from "../../../src/postgres/schema/schema.ts"
import { controlSchema, tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { nameTemplates } from "../../../src/postgres/schema/tenant-databases.ts"
import { ids, type TestServer, testServer } from "../server.ts"
import { startTcpProxy } from "../tcp-proxy.ts"

const version = versionOf(tenantSchema)

describe("boot", () => {
  let server: TestServer
  beforeEach(() => {
    server = testServer()
  })
  afterEach(() => server.close())

  const read = ({ tenants }: Postgres, id: string) => Effect.runPromise(tenants.read(id, (db) => db.users.list({}, [])))
  const sessionsOf = async (database: string) => {
    const [row] = await server.rows<{ readonly sessions: number }>(
      "postgres",
      `select sessions::int from pg_stat_database where datname = '${database}'`,
    )
    return row?.sessions
  }
  const template = (of = version, controlDatabase = server.controlDatabase) =>
    `${nameTemplates({ prefix: server.prefix, controlDatabase })}${of}`
  const steps = async (database: string) => {
    const rows = await server.rows<{ readonly name: string }>(
      database,
      "select name from mikro_orm_migrations order by id",
    )
    return rows.map(({ name }) => name)
  }
  const everyStep = tenantSchema.steps.map(({ name }) => name)
  it("creates the control database and the template once when several processes start at once", async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => server.open()))
    expect(await server.databases()).toEqual([server.controlDatabase])
    for (const { schemas } of all) schemas.start()
    await expect.poll(server.databases).toEqual([template(), server.controlDatabase].toSorted())
    expect(await steps(server.controlDatabase)).toEqual(controlSchema.steps.map(({ name }) => name))
    for (const { control } of all) {
      await Effect.runPromise(control.transact((db) => db.projects.insert(aProject({ id: ids.uuid() }))))
    }
    const [first] = all
    expect(await Effect.runPromise(first?.ping() ?? Effect.succeed(false))).toBe(true)
  })

  it("tells nothing of what another process has brought up to date meanwhile", async () => {
    await server.open()
    const last = controlSchema.steps.at(-1)?.name
    const other = await server.session(server.controlDatabase)
    await other.run(`select pg_advisory_lock(${serverLock.space}, ${serverLock.key})`)
    await other.run(`delete from mikro_orm_migrations where name = '${last}'`)
    const told: Array<string> = []
    const opening = server.open({ onProgress: (what) => told.push(what) })
    const asking = `select 1 from pg_stat_activity where datname = '${server.controlDatabase}'
      and pid <> pg_backend_pid() and query like '%pg_try_advisory_lock%'`
    await expect.poll(() => server.rows("postgres", asking)).toHaveLength(1)
    await other.run(`insert into mikro_orm_migrations (name) values ('${last}')`)
    await other.end()
    await opening
    expect(told).toEqual([])
  })

  it("waits longer for a connection than a caller would", async () => {
    const proxy = await startTcpProxy(databaseUrl())
    onTestFinished(proxy.close)
    proxy.silenceNew(true)
    const opening = server.open({ databaseUrl: proxy.url, acquireMillis: 100, listens: false })
    const early = await Promise.race([opening.then(() => "open", String), setTimeout(400, "waits")])
    expect(early).toBe("waits")
    proxy.silenceNew(false)
    await opening
    expect(await server.databases()).toEqual([server.controlDatabase])
  })

  it("uses the database that the address names, and does not create it", async () => {
    const named = `${server.prefix}named`
    const databaseUrl = server.urlOf(named)
    await expect(server.open({ databaseUrl })).rejects.toThrow(named)
    expect(await server.databases()).toEqual([])
    await server.rows("postgres", `create database "${named}"`)
    const { schemas } = await server.open({ databaseUrl })
    schemas.start()
    await expect.poll(server.databases).toEqual([template(version, named), named].toSorted())
  })

  it("migrates the databases of earlier schemas, and does not connect to current ones", async () => {
    const before = await server.open()
    const [older, another, current] = await Promise.all([1, 2, 3].map(() => server.project(before)))
    if (older === undefined || another === undefined || current === undefined) throw new Error("Three were made.")
    for (const id of [older, another]) await server.rewind(id, 1)
    const sessions = await sessionsOf(server.databaseOf(current))
    const opened = await Promise.all([server.open(), server.open(), server.open()])
    for (const { schemas } of opened) schemas.start()
    const [after] = opened
    for (const { schemas } of opened) await expect.poll(() => schemas.figures().current).toBe(3)
    for (const id of [older, another]) {
      expect(await steps(server.databaseOf(id))).toEqual(everyStep)
      expect(await read(after, id)).toEqual([])
    }
    expect(await sessionsOf(server.databaseOf(current))).toBe(sessions)
    const migrated = await sessionsOf(server.databaseOf(older))
    const { schemas } = await server.open()
    schemas.start()
    await expect.poll(() => schemas.figures().current).toBe(3)
    expect(await sessionsOf(server.databaseOf(older))).toBe(migrated)
  })

  it("leaves the databases of another installation on the same server as they are", async () => {
    const other = await server.open()
    const foreign = await server.project(other)
    await server.rewind(foreign, 1)
    const own = await server.open({ controlDatabase: `${server.prefix}own` })
    const id = await server.project(own)
    await server.rewind(id, 1)
    own.schemas.start()
    await expect.poll(() => steps(server.databaseOf(id))).toEqual(everyStep)
    await expect.poll(() => own.schemas.figures()).toMatchObject({ current: 1, behind: { waiting: 0, failing: 0 } })
    expect(await steps(server.databaseOf(foreign))).toEqual(everyStep.slice(0, 1))
  })

  it("migrates a project of the first release, and keeps its data", async () => {
    const before = await server.open()
    const id = await server.project(before)
    const database = server.databaseOf(id)
    await server.rewind(id, 1)
    const user = aUser({ id: ids.uuid(), properties: { kept: true } })
    await server.rows(
      database,
      `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       select '${user.id}', '${user.display_name}', '${user.anonymous_id}', '[]', '{"kept": true}', at, at, false, at, at
       from (select '${user.created_at.toISOString()}'::timestamptz as at) as made`,
    )

    const after = await server.open()
    expect(await read(after, id)).toStrictEqual([user])
    // It is used while only indexes are missing.
    await expect.poll(() => steps(database)).toEqual(everyStep)
    const link = anAccountLink({ id: ids.uuid(), app_user_id: user.id })
    await Effect.runPromise(after.tenants.transact(id, (db) => db.accountLinks.insert(link)))
    expect(await Effect.runPromise(after.tenants.read(id, (db) => db.accountLinks.list({}, [])))).toStrictEqual([link])
    expect(await Effect.runPromise(after.tenants.read(id, (db) => db.magicLinks.list({}, [])))).toEqual([])
  })

  it("takes an email for proven that did not come with a password [B15]", async () => {
    const id = await server.project(await server.open())
    const database = server.databaseOf(id)
    await server.rewind(id, 5)
    await server.rows(
      database,
      `insert into app_users (id, email, password_hash, display_name, anonymous_id, auth_providers, properties,
         first_seen_at, last_seen_at, is_disabled, created_at, updated_at)
       select gen_random_uuid(), email, hash, coalesce(email, 'nobody'), coalesce(email, 'nobody'), '[]', '{}',
         at, at, false, at, at
       from (values ('link@example.com', null), ('signup@example.com', 'hash'), (null, null)) as given(email, hash),
         (select '2026-01-01T00:00:00Z'::timestamptz as at) as made`,
    )
    const users = await read(await server.open(), id)
    const proven = Object.fromEntries(users.map((user) => [user.display_name, user.email_verified_at]))
    expect(proven).toEqual({
      "link@example.com": new Date("2026-01-01"),
      "signup@example.com": null,
      nobody: null,
    })
  })

  it("creates the template again when it is missing or of an earlier schema", async () => {
    const postgres = await server.open()
    await server.project(postgres)
    await server.rows("postgres", `drop database "${template()}"`)
    const first = await server.project(postgres)
    await server.rows("postgres", `alter database "${template()}" rename to "${template("0000")}"`)
    const second = await server.project(postgres)
    const templates = (await server.databases()).filter((name) => name.startsWith(template("")))
    expect(templates).toEqual([template()])
    expect(await read(postgres, first)).toEqual([])
    expect(await read(postgres, second)).toEqual([])
  })

  it("has a template of its own beside an installation of another role", async () => {
    const role = `${server.prefix}role`
    await server.rows("postgres", `create role "${role}" login createdb password 'role'`)
    // After the databases of the role.
    onTestFinished(async () => void (await server.rows("postgres", `drop role "${role}"`)))
    const controlDatabase = `${server.prefix}own`
    const databaseUrl = Object.assign(new URL(server.urlOf("postgres")), { username: role, password: "role" }).href
    await server.project(await server.open())
    const own = await server.open({ databaseUrl, controlDatabase })
    const id = await server.project(own)
    expect(await read(own, id)).toEqual([])
    expect(await server.databases()).toEqual(expect.arrayContaining([template(), template(version, controlDatabase)]))
  })

  it("drops the template of a former name when it has its own", async () => {
    const former = `${server.prefix}template_${version}`
    await server.rows("postgres", `create database "${former}"`)
    await server.project(await server.open())
    expect(await server.databases()).toContain(template())
    expect(await server.databases()).not.toContain(former)
  })

  it("clones the template of a later release", async () => {
    const postgres = await server.open()
    await server.project(postgres)
    await server.rows("postgres", `create database "${template("9999")}" template "${template()}"`)
    const id = await server.project(postgres)
    const [row] = await server.rows<{ readonly comment: string }>(
      server.databaseOf(id),
      "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = current_database()",
    )
    expect(row?.comment).toBe("schema 9999")
  })
})
