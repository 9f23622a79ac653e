import { TenantUnavailable } from "@hearth/core"
import { aProject, aUser } from "@hearth/testing"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Postgres } from "../../src/postgres/index.ts"
import { ids, type TestServer, testServer } from "./server.ts"

describe("boot", { timeout: 30_000 }, () => {
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
  const steps = (database: string) =>
    server.rows<{ readonly name: string }>(database, "select name from mikro_orm_migrations order by id")
  /** Puts a database back to before the schemas: empty, and without a note of its version. */
  const reset = async (database: string) => {
    await server.rows(database, "drop schema public cascade; create schema public")
    await server.rows("postgres", `comment on database "${database}" is null`)
  }

  it("makes the control database and the template once, however many processes begin at the same time", async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => server.open()))
    expect(await server.databases()).toEqual([server.controlDatabase, `${server.prefix}template_0001`])
    expect(await steps(server.controlDatabase)).toHaveLength(1)
    for (const { control } of all) {
      await Effect.runPromise(control.transact((db) => db.projects.insert(aProject({ id: ids.uuid() }))))
    }
    const [first] = all
    expect(await Effect.runPromise(first?.ping() ?? Effect.succeed(false))).toBe(true)
  })

  it("uses the database that the address names, and does not make it up", async () => {
    const named = `${server.prefix}named`
    const databaseUrl = server.urlOf(named)
    await expect(server.open({ databaseUrl })).rejects.toThrow(named)
    expect(await server.databases()).toEqual([])
    await server.rows("postgres", `create database "${named}"`)
    await server.open({ databaseUrl })
    expect(await server.databases()).toEqual([named, `${server.prefix}template_0001`])
  })

  it("migrates the databases of earlier schemas, and leaves those alone that are of the present one", async () => {
    const before = await server.open()
    const [older, another, current] = await Promise.all([1, 2, 3].map(() => server.project(before)))
    if (older === undefined || another === undefined || current === undefined) throw new Error("Three were made.")
    for (const id of [older, another]) await reset(server.databaseOf(id))
    const sessions = await sessionsOf(server.databaseOf(current))
    const [after] = await Promise.all([server.open(), server.open(), server.open()])
    for (const id of [older, another]) {
      expect(await steps(server.databaseOf(id))).toHaveLength(1)
      expect(await read(after, id)).toEqual([])
    }
    expect(await sessionsOf(server.databaseOf(current))).toBe(sessions)
    const migrated = await sessionsOf(server.databaseOf(older))
    await server.open()
    expect(await sessionsOf(server.databaseOf(older))).toBe(migrated)
  })

  it("does without a project whose database cannot be migrated, and says so", async () => {
    const before = await server.open()
    const [broken, kept] = [await server.project(before), await server.project(before)]
    await server.rows(server.databaseOf(broken), "delete from mikro_orm_migrations")
    await server.rows("postgres", `comment on database "${server.databaseOf(broken)}" is null`)
    const warnings: Array<string> = []
    const after = await server.open({ onWarning: (message) => void warnings.push(message) })
    expect(warnings).toEqual([expect.stringContaining(server.databaseOf(broken))])
    const outcome = Effect.runPromise(Effect.flip(after.tenants.read(broken, (db) => db.users.list({}, []))))
    expect(await outcome).toBeInstanceOf(TenantUnavailable)
    await Effect.runPromise(after.tenants.transact(kept, (db) => db.users.insert(aUser())))
    expect(await read(after, kept)).toHaveLength(1)
  })

  it("makes the template again when it is gone, and when it is of an earlier schema", async () => {
    const postgres = await server.open()
    const template = `${server.prefix}template_0001`
    await server.rows("postgres", `drop database "${template}"`)
    const first = await server.project(postgres)
    await server.rows("postgres", `alter database "${template}" rename to "${server.prefix}template_0000"`)
    const second = await server.project(postgres)
    expect(await server.databases()).toEqual(
      [server.controlDatabase, template, server.databaseOf(first), server.databaseOf(second)].sort(),
    )
    expect(await read(postgres, second)).toEqual([])
  })

  it("clones the template of a later release that runs beside it", async () => {
    const postgres = await server.open()
    await server.rows(
      "postgres",
      `create database "${server.prefix}template_0002" template "${server.prefix}template_0001"`,
    )
    const id = await server.project(postgres)
    const [row] = await server.rows<{ readonly comment: string }>(
      server.databaseOf(id),
      "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = current_database()",
    )
    expect(row?.comment).toBe("schema 0002")
  })
})
