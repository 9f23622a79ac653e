import { TenantBusy, TenantUnavailable } from "@hearth/core"
import { Effect } from "effect"
import pg from "pg"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Postgres, PostgresOptions } from "../../../src/postgres/index.ts"
import { versionOf } from "../../../src/postgres/schema/schema.ts"
import { controlSchema, tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { type TestServer, testServer } from "../server.ts"

const everyStep = tenantSchema.steps.length

describe("databases that are not as this release left them", () => {
  let server: TestServer
  let warnings: Array<string>
  let clients: Array<pg.Client>
  beforeEach(() => {
    server = testServer()
    warnings = []
    clients = []
  })
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await server.close()
  })

  const open = (options: Partial<PostgresOptions> = {}) =>
    server.open({ onWarning: (message, cause) => void warnings.push(`${message} ${cause}`), ...options })
  const use = ({ tenants }: Postgres, id: string) =>
    Effect.runPromise(
      tenants
        .read(id, (db) => Effect.as(db.trackedLinks.list({}, []), "answered" as const))
        .pipe(Effect.catch((failure) => Effect.succeed(failure))),
    )
  const stepsOf = async (id: string) =>
    (await server.rows(server.databaseOf(id), "select from mikro_orm_migrations")).length
  /** A transaction that stays open until the test ends it. */
  const hold = async (database: string, statement: string) => {
    const client = new pg.Client({ connectionString: server.urlOf(database), application_name: "test" })
    clients.push(client)
    client.on("error", () => {})
    await client.connect()
    await client.query("begin")
    await client.query(statement)
    return () => client.query("rollback")
  }
  /** Projects of this release, made by a process that is gone. */
  const projects = async (count: number) => {
    const before = await open()
    const made: Array<string> = []
    for (let n = 0; n < count; n += 1) made.push(await server.project(before))
    return made as [string, string, string]
  }
  const sessionsOf = async (id: string) => {
    const text = `select sessions::int from pg_stat_database where datname = '${server.databaseOf(id)}'`
    const [row] = await server.rows<{ readonly sessions: number }>("postgres", text)
    return row?.sessions ?? 0
  }

  it("an older one is brought up to date by its first use, once, whoever else wants it", async () => {
    const [id] = await projects(1)
    await server.rewind(id, 2)
    const [one, two] = [await open(), await open()]
    const answers = await Promise.all([use(one, id), use(two, id), use(one, id), use(two, id)])
    expect(answers).toEqual(Array.from({ length: 4 }, () => "answered"))
    await expect.poll(() => stepsOf(id)).toBe(everyStep)
    expect(warnings).toEqual([])
  })

  it("one that others have locked is busy within two seconds, and works soon after; others are not kept", async () => {
    const [locked, older, current] = await projects(3)
    await server.rewind(locked, 3)
    await server.rewind(older, 3)
    const release = await hold(server.databaseOf(locked), "lock table engagement_events")
    const postgres = await open({ lookMillis: 2_000 })
    postgres.schemas.start()
    const began = performance.now()
    const busy = await use(postgres, locked)
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(busy).toStrictEqual(new TenantBusy({ retry_after_seconds: 2 }))
    expect(await use(postgres, older)).toBe("answered")
    expect(await use(postgres, current)).toBe("answered")
    await expect.poll(() => postgres.schemas.figures().behind.failing).toBe(1)
    expect(postgres.schemas.figures()).toMatchObject({
      current: 2,
      examples: [{ database: server.databaseOf(locked), hindrance: "failing" }],
    })
    expect(warnings).toEqual([expect.stringContaining("lock timeout")])
    await release()
    await expect.poll(() => use(postgres, locked)).toBe("answered")
  })

  it("one whose data fails a step is busy at once after the first try, which is repeated only at a look", async () => {
    const [broken, other] = await projects(2)
    await server.rewind(broken, 3)
    await server.rows(server.databaseOf(broken), "alter table engagement_events add column cause_key text")
    const postgres = await open({ lookMillis: 1_500 })
    expect(await use(postgres, broken)).toBeInstanceOf(TenantBusy)
    const tried = await sessionsOf(broken)
    const began = performance.now()
    for (let n = 0; n < 20; n += 1) expect(await use(postgres, broken)).toBeInstanceOf(TenantBusy)
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(await sessionsOf(broken)).toBe(tried)
    expect(await stepsOf(broken)).toBe(3)
    expect(await use(postgres, other)).toBe("answered")

    postgres.schemas.start()
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    expect((await sessionsOf(broken)) - tried).toBeLessThanOrEqual(3)
    expect(warnings).toEqual([expect.stringContaining("cause_key")])
    await server.rows(server.databaseOf(broken), "alter table engagement_events drop column cause_key")
    await expect.poll(() => use(postgres, broken)).toBe("answered")
  })

  it("an old backup that was restored over the present one is noticed by the first call that fails of it", async () => {
    const [id, other] = await projects(2)
    const postgres = await open()
    expect(await use(postgres, id)).toBe("answered")
    await server.rewind(id, 3, `schema ${versionOf(tenantSchema)}`)
    expect(await use(postgres, id)).toStrictEqual(new TenantBusy({ retry_after_seconds: 1 }))
    expect(await use(postgres, id)).toBe("answered")
    expect(await use(postgres, other)).toBe("answered")
    await expect.poll(() => stepsOf(id)).toBe(everyStep)
  })

  it("a statement that is wrong in itself is a defect still, and costs a connection only once", async () => {
    const [id] = await projects(1)
    const postgres = await open()
    expect(await use(postgres, id)).toBe("answered")
    await server.rows(server.databaseOf(id), "alter table tracked_links rename column slug to elsewhere")
    const before = await sessionsOf(id)
    const attempt = () => use(postgres, id).catch((defect) => String(defect))
    for (let n = 0; n < 10; n += 1) expect(await attempt()).toContain("slug")
    expect((await sessionsOf(id)) - before).toBeLessThanOrEqual(2)
  })

  it("a table that is missing makes its project unavailable, however often it was looked at", async () => {
    const [id] = await projects(1)
    const postgres = await open()
    expect(await use(postgres, id)).toBe("answered")
    await server.rows(server.databaseOf(id), "alter table tracked_links rename to elsewhere")
    for (let n = 0; n < 3; n += 1) expect(await use(postgres, id)).toBeInstanceOf(TenantUnavailable)
  })

  it("a missing or an empty one is unavailable, is not made, and does not hurt others", async () => {
    const [missing, empty, other] = await projects(3)
    await server.rows("postgres", `drop database "${server.databaseOf(missing)}" with (force)`)
    await server.rewind(empty, 0, null)
    await server.rows(server.databaseOf(empty), "drop schema public cascade; create schema public")
    const postgres = await open({ lookMillis: 500 })
    postgres.schemas.start()
    for (let n = 0; n < 3; n += 1) {
      expect(await use(postgres, missing)).toBeInstanceOf(TenantUnavailable)
      expect(await use(postgres, empty)).toBeInstanceOf(TenantUnavailable)
      expect(await use(postgres, other)).toBe("answered")
    }
    expect(await server.databases()).not.toContain(server.databaseOf(missing))
    const tables = "select 1 from pg_tables where schemaname = 'public'"
    expect(await server.rows(server.databaseOf(empty), tables)).toEqual([])
    await server.rewind(empty, 2)
    await expect.poll(() => use(postgres, empty)).toBe("answered")
  })

  it("one with a comment of its operator is looked into", async () => {
    const [id] = await projects(1)
    await server.rewind(id, 2, "do not touch")
    const postgres = await open()
    expect(await use(postgres, id)).toBe("answered")
    // It is used while only indexes are missing.
    await expect.poll(() => stepsOf(id)).toBe(everyStep)
  })

  describe("of a later release", () => {
    const later = async (id: string, needs: string | null) => {
      const database = server.databaseOf(id)
      await server.rows(database, `alter table mikro_orm_migrations add column if not exists needs text`)
      await server.rows(
        database,
        `insert into mikro_orm_migrations (name, needs) values ('9999-later', ${needs === null ? "null" : `'${needs}'`})`,
      )
    }

    it("serves, while nothing says that it cannot", async () => {
      const [id] = await projects(1)
      await later(id, null)
      await server.rows("postgres", `comment on database "${server.databaseOf(id)}" is 'schema 9999'`)
      expect(await use(await open(), id)).toBe("answered")
    })

    it.each([
      ["its comment", "'schema 9999 needs 99.0.0'"],
      ["itself", "null"],
    ])("is busy, alone, where %s needs that release", async (_, comment) => {
      const [id, other] = await projects(2)
      await later(id, "99.0.0")
      await server.rows("postgres", `comment on database "${server.databaseOf(id)}" is ${comment}`)
      const postgres = await open({ lookMillis: 300 })
      postgres.schemas.start()
      for (let n = 0; n < 3; n += 1) {
        expect(await use(postgres, id)).toBeInstanceOf(TenantBusy)
        await new Promise((resolve) => setTimeout(resolve, 400))
      }
      // On a slow machine its own look may still be under way.
      await expect.poll(() => use(postgres, other)).toBe("answered")
      await expect.poll(() => postgres.schemas.figures()).toMatchObject({ current: 1, behind: { "too-new": 1 } })
      expect(warnings).toEqual([expect.stringMatching(/needs Hearth 99\.0\.0 or later, and this is \d+\.\d+\.\d+/)])
    })

    it("is refused with a sentence where it is the control database", async () => {
      await open()
      const add = "insert into mikro_orm_migrations (name, needs) values ('9999-later', '99.0.0')"
      await server.rows(server.controlDatabase, add)
      await expect(open()).rejects.toThrow(
        `The database ${server.controlDatabase} needs Hearth 99.0.0 or later, and this is ${controlSchema.release}: start that release`,
      )
    })
  })
})
