import { randomUUID } from "node:crypto"
import { type TenantDb, TenantUnavailable } from "@hearth/core"
import type { NewEvent } from "@hearth/core/events"
import { anEvent, aSegment, aUser, drainOutbox } from "@hearth/testing"
import { Effect, Exit, Option } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Postgres } from "../../src/postgres/index.ts"
import { type TestServer, testServer } from "./server.ts"
import { startTcpProxy } from "./tcp-proxy.ts"

describe("tenants on PostgreSQL", () => {
  let server: TestServer
  let postgres: Postgres
  beforeAll(async () => {
    server = testServer()
    postgres = await server.open()
  })
  afterAll(() => server.close())

  const project = () => server.project(postgres)
  const user = () => aUser({ id: randomUUID(), anonymous_id: randomUUID() })
  const read = <A, E>(id: string, work: (db: TenantDb) => Effect.Effect<A, E>, from = postgres) =>
    Effect.runPromise(from.tenants.read(id, work))
  const transact = <A, E>(id: string, work: (db: TenantDb) => Effect.Effect<A, E>, from = postgres) =>
    Effect.runPromise(from.tenants.transact(id, work))
  const names = (id: string) =>
    read(id, (db) => Effect.map(db.segments.list({}, [["name", "asc"]]), (rows) => rows.map(({ name }) => name)))
  const isUnavailable = async (id: string) => {
    const find = (db: TenantDb) => db.users.find({})
    expect(await Effect.runPromise(Effect.flip(postgres.tenants.read(id, find)))).toBeInstanceOf(TenantUnavailable)
    expect(await Effect.runPromise(Effect.flip(postgres.tenants.transact(id, find)))).toBeInstanceOf(TenantUnavailable)
  }
  /** Ends every connection to a database of the service. */
  const disconnect = (id: string) =>
    server.rows(
      "postgres",
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where application_name = 'hearth' and datname = '${server.databaseOf(id)}'`,
    )

  it("keeps projects apart when their calls interleave", async () => {
    const projects = [await project(), await project(), await project()]
    const calls = Array.from({ length: 150 }, (_, turn) => {
      const id = projects[turn % 3] ?? ""
      const insert = (db: TenantDb) => db.segments.insert(aSegment({ id: randomUUID(), name: id }))
      return turn % 2 === 0 ? transact(id, insert) : read(id, insert)
    })
    await Promise.all(calls)
    for (const id of projects) expect(await names(id)).toEqual(Array.from({ length: 50 }, () => id))
  })

  it("warns of a database that is gone, unless the project was removed, here or by another process", async () => {
    const warned: Array<unknown> = []
    const watched = await server.open({ onWarning: (_, __, facts) => void warned.push(facts?.["project_id"]) })
    const [removed, elsewhere, lost] = [await project(), await project(), await project()]
    await Effect.runPromise(watched.tenants.drop(removed))
    await Effect.runPromise(postgres.control.transact((db) => db.projects.update(elsewhere, { is_ready: false })))
    await Effect.runPromise(postgres.tenants.drop(elsewhere))
    await server.rows("postgres", `drop database "${server.databaseOf(lost)}" with (force)`)
    for (const id of [removed, elsewhere, lost]) {
      const reading = watched.tenants.read(id, (db) => db.users.find({}))
      expect(await Effect.runPromise(Effect.flip(reading))).toBeInstanceOf(TenantUnavailable)
    }
    await vi.waitFor(() => expect(warned).toEqual([lost]))
  })

  it("warns of a database that is gone once a minute, and never of an id that nobody has", async () => {
    const warned: Array<unknown> = []
    const clock = { now: () => new Date(time) }
    let time = Date.UTC(2026, 2, 1)
    const watched = await server.open({ clock, onWarning: (_, __, facts) => void warned.push(facts?.["project_id"]) })
    const lost = await project()
    await server.rows("postgres", `drop database "${server.databaseOf(lost)}" with (force)`)
    const ids = [lost, lost, "00000000-0000-0000-0000-000000000000", "no id"]
    const readAll = async () => {
      for (const id of ids) {
        const reading = watched.tenants.read(id, (db) => db.users.find({}))
        expect(await Effect.runPromise(Effect.flip(reading))).toBeInstanceOf(TenantUnavailable)
      }
    }
    await readAll()
    await vi.waitFor(() => expect(warned).toEqual([lost]))
    time += 60_000
    await readAll()
    await vi.waitFor(() => expect(warned).toEqual([lost, lost]))
  })

  it("warns once a minute of a control database that is away", async () => {
    const warned: Array<string> = []
    const clock = { now: () => new Date(time) }
    let time = Date.UTC(2026, 2, 1)
    const proxy = await startTcpProxy(server.urlOf("postgres"))
    const options = {
      clock,
      databaseUrl: proxy.url,
      listens: false,
      onWarning: (text: string) => void warned.push(text),
    }
    const watched = await server.open(options)
    await proxy.close()
    for (const wait of [0, 59_999, 1]) {
      time += wait
      expect(Exit.isFailure(await Effect.runPromiseExit(watched.control.read((db) => db.projects.list({}, []))))).toBe(
        true,
      )
    }
    expect(warned).toEqual(["The control database cannot be used.", "The control database cannot be used."])
  })

  it("uses one connection in a transaction, also for concurrent statements", async () => {
    const id = await project()
    const narrow = await server.open({ tenantConnections: 1, connectionsPerTenant: 1 })
    const rows = Array.from({ length: 10 }, user)
    const work = (db: TenantDb) =>
      Effect.andThen(
        Effect.forEach(rows, (row) => db.users.insert(row), { concurrency: "unbounded", discard: true }),
        Effect.map(db.users.list({}, []), (found) => found.length),
      )
    expect(await transact(id, work, narrow)).toBe(10)
  })

  it("is unavailable when the connection of a transaction ends, which is rolled back", async () => {
    const id = await project()
    const exit = await Effect.runPromiseExit(
      postgres.tenants.transact(id, (db) =>
        db.segments
          .insert(aSegment({ name: "lost" }))
          .pipe(
            Effect.andThen(Effect.promise(() => disconnect(id))),
            Effect.andThen(db.segments.insert(aSegment({ name: "never" }))),
          ),
      ),
    )
    expect(exit).toEqual(Exit.fail(new TenantUnavailable()))
    expect(await names(id)).toEqual([])
    expect(postgres.figures().tenants.inUse).toBe(0)
  })

  it("fails when the commit is not confirmed", async () => {
    const id = await project()
    const exit = await Effect.runPromiseExit(
      postgres.tenants.transact(id, (db) =>
        Effect.andThen(
          db.segments.insert(aSegment()),
          Effect.promise(() => disconnect(id)),
        ),
      ),
    )
    expect(exit).toEqual(Exit.fail(new TenantUnavailable()))
    expect(await names(id)).toEqual([])
  })

  it("waits for the running statement when work is interrupted, and rolls back", async () => {
    const [id, held] = [await project(), Promise.withResolvers<void>()]
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const row = user()
    await transact(id, (db) => db.users.insert(row))
    const holding = transact(id, (db) =>
      Effect.andThen(
        db.users.lock(row.id),
        Effect.promise(() => {
          locked.resolve()
          return release.promise
        }),
      ),
    )
    await locked.promise
    const abort = new AbortController()
    const work = (db: TenantDb) =>
      db.segments
        .insert(aSegment())
        .pipe(Effect.andThen(Effect.sync(held.resolve)), Effect.andThen(db.users.lock(row.id)))
    const waiting = Effect.runPromiseExit(postgres.tenants.transact(id, work), { signal: abort.signal })
    await held.promise
    abort.abort()
    release.resolve()
    await holding
    expect(Exit.hasInterrupts(await waiting)).toBe(true)
    expect(await names(id)).toEqual([])
    expect(postgres.figures().tenants.inUse).toBe(0)
  })

  it("lets others write rows that reference a locked one", async () => {
    const id = await project()
    const row = user()
    await transact(id, (db) => db.users.insert(row))
    const link = { id: randomUUID(), app_user_id: row.id, provider: "idp_a", provider_id: "1", created_at: new Date(0) }
    const other = Effect.promise(() => transact(id, (db) => db.accountLinks.insert(link)))
    await transact(id, (db) => Effect.andThen(db.users.lock(row.id), other))
    expect(await transact(id, (db) => db.accountLinks.remove({}))).toBe(1)
  })

  it("is unavailable while its database is missing, which is not created, and works when it is back", async () => {
    const [id, other] = [await project(), await project()]
    await transact(id, (db) => db.segments.insert(aSegment({ name: "kept" })))
    const [name, aside] = [server.databaseOf(id), `${server.prefix}aside`]
    await disconnect(id)
    await server.rows("postgres", `alter database "${name}" rename to "${aside}"`)
    await isUnavailable(id)
    expect(await server.databases()).not.toContain(name)
    expect(await names(other)).toEqual([])
    await server.rows("postgres", `alter database "${aside}" rename to "${name}"`)
    expect(await names(id)).toEqual(["kept"])
  })

  it("is unavailable to a running transaction once it is dropped, which is nothing to warn of", async () => {
    const warned: Array<unknown> = []
    const watched = await server.open({ onWarning: (text) => void warned.push(text) })
    const id = await project()
    const begun = Promise.withResolvers<void>()
    const exit = Effect.runPromiseExit(
      watched.tenants.transact(id, (db) =>
        db.segments
          .insert(aSegment())
          .pipe(
            Effect.andThen(Effect.sync(begun.resolve)),
            Effect.andThen(Effect.forever(Effect.andThen(db.segments.list({}, []), Effect.sleep(5)))),
          ),
      ),
    )
    await begun.promise
    await Effect.runPromise(watched.tenants.drop(id))
    expect(await exit).toEqual(Exit.fail(new TenantUnavailable()))
    expect(warned).toEqual([])
    expect(await server.databases()).not.toContain(server.databaseOf(id))
    await isUnavailable(id)
  })

  it("reports a user who is removed while the events are written, in a transaction or not", async () => {
    const id = await project()
    const insert = (events: ReadonlyArray<NewEvent>) => (db: TenantDb) => db.events.insert(events, { enqueue: true })
    for (const run of [read, transact]) {
      const [gone, kept] = [user(), user()]
      await transact(id, (db) => Effect.andThen(db.users.insert(gone), db.users.insert(kept)))
      const events = [kept, gone].map((row) => anEvent({ id: randomUUID(), app_user_id: row.id }))
      const [removed, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const removing = transact(id, (db) =>
        db.users
          .remove({ id: gone.id })
          .pipe(Effect.andThen(Effect.sync(removed.resolve)), Effect.andThen(Effect.promise(() => release.promise))),
      )
      await removed.promise
      const outcome = run(id, insert(events))
      await vi.waitFor(async () => expect(await server.waiting(server.databaseOf(id))).toBe(1), { timeout: 45_000 })
      release.resolve()
      await removing
      expect(await outcome).toEqual({ unknown_users: [1] })
      expect((await read(id, (db) => db.outbox.waiting())).entries).toBe(0)
    }
  })

  it("does not deadlock between calls with the same events", async () => {
    const [id, row] = [await project(), user()]
    await transact(id, (db) => db.users.insert(row))
    const names = Array.from({ length: 400 }, () => randomUUID())
    const call = (turn: number) => {
      const named = names.map((external_id) => anEvent({ id: randomUUID(), app_user_id: row.id, external_id }))
      return read(id, (db) => db.events.insert(turn % 2 === 0 ? named : named.reverse(), { enqueue: true }))
    }
    const written = await Promise.all(Array.from({ length: 8 }, (_, turn) => call(turn)))
    expect(written.flatMap((one) => ("inserted" in one ? one.inserted : []))).toHaveLength(400)
  })

  it("creates many projects at the same time in several processes", async () => {
    const processes = [postgres, await server.open(), await server.open()]
    const made = await Promise.all(
      Array.from({ length: 9 }, (_, turn) => server.project(processes[turn % 3] ?? postgres)),
    )
    for (const id of made) expect(await names(id)).toEqual([])
  })

  it("leaves no database behind when a project cannot be created", async () => {
    const before = await server.databases()
    const id = randomUUID()
    // The last step of a creation writes the version: it waits for this lock, and its connection is ended meanwhile.
    const blocker = new pg.Client({ connectionString: server.urlOf("postgres") })
    await blocker.connect()
    await blocker.query("begin; lock table pg_shdescription in exclusive mode")
    const exit = Effect.runPromiseExit(postgres.tenants.create(id))
    const endNote = async () => {
      const ended = await server.rows(
        "postgres",
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where wait_event_type = 'Lock'
         and pid <> pg_backend_pid() and query like 'comment on database "${server.databaseOf(id)}"%'`,
      )
      expect(ended).toHaveLength(1)
    }
    await vi.waitFor(endNote, { timeout: 45_000 })
    expect(await server.databases()).toContain(server.databaseOf(id))
    await blocker.end()
    expect(Exit.hasDies(await exit)).toBe(true)
    expect(await server.databases()).toEqual(before)
  })

  it("treats hostile text as text in every kind of statement", async () => {
    const id = await project()
    const hostile = `'; drop table app_users; --\\ $1 ? :a "x" %s \${y} E'\\047'`
    const row = {
      ...user(),
      email: hostile,
      display_name: hostile,
      timezone: hostile,
      properties: { [hostile]: hostile },
    }
    const event = anEvent({
      id: randomUUID(),
      app_user_id: row.id,
      event_name: hostile,
      external_id: hostile,
      properties: { [hostile]: [hostile] },
    })
    await transact(id, (db) => db.users.insert(row))
    expect(await read(id, (db) => db.users.find({ email: hostile }))).toStrictEqual(Option.some(row))
    expect(await read(id, (db) => db.users.update(row.id, { avatar_url: hostile }))).toMatchObject({
      value: { avatar_url: hostile },
    })
    expect(await read(id, (db) => db.users.lockZones([row.id]))).toEqual(new Map([[row.id, hostile]]))
    expect(await read(id, (db) => db.events.insert([event], { enqueue: true }))).toEqual({ inserted: [event.id] })
    expect(await transact(id, drainOutbox)).toMatchObject([{ event_name: hostile, properties: event.properties }])
    expect(await read(id, (db) => db.users.remove({ display_name: hostile }))).toBe(1)
    expect(await read(id, (db) => db.users.list({}, []))).toEqual([])
  })

  it("binds values and never writes them into statements", async () => {
    const id = await project()
    const secret = "canary-in-a-value"
    const text = await transact(id, (db) =>
      Effect.andThen(
        db.users.insert({ ...user(), password_hash: secret }),
        Effect.promise(() =>
          server.rows<{ readonly query: string }>(
            "postgres",
            `select query from pg_stat_activity where application_name = 'hearth' and datname = '${server.databaseOf(id)}'`,
          ),
        ),
      ),
    )
    expect(text).toEqual([{ query: expect.stringContaining("insert into") }])
    expect(JSON.stringify(text)).not.toContain(secret)
  })

  it("keeps no connections of idle projects", async () => {
    const brief = await server.open({ idleMillis: 50, tenantConnections: 3 })
    const projects = await Promise.all(Array.from({ length: 8 }, project))
    await Promise.all(projects.map((id) => read(id, (db) => db.users.find({}), brief)))
    await expect.poll(() => brief.figures().tenants).toEqual({ databases: 0, inUse: 0, idle: 0, waiting: 0 })
    for (const id of projects) expect(await read(id, (db) => db.users.list({}, []), brief)).toEqual([])
  })
})
