import { randomUUID } from "node:crypto"
import { ServiceUnavailable, TenantBusy, type TenantDb } from "@hearth/core"
import { aDeveloper, anEvent, aRefreshToken, aSegment, aSessionFamily, aUser } from "@hearth/testing"
import { Cause, Effect, Exit } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Postgres, PostgresOptions } from "../../src/postgres/index.ts"
import { type TestServer, testServer } from "./server.ts"

const lockMillis = 300

describe("busy projects", () => {
  let server: TestServer
  let postgres: Postgres
  const sessions: Array<pg.Client> = []
  beforeAll(async () => {
    server = testServer()
    postgres = await server.open({ lockMillis })
  })
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.end()))
    await server.close()
  })

  const open = (options: Partial<PostgresOptions>) => server.open({ lockMillis, ...options })
  const project = () => server.project(postgres)
  /** Keeps what a statement locks, from outside of the service. */
  const keep = async (id: string, ...statements: ReadonlyArray<string>) => {
    const session = new pg.Client({ connectionString: server.urlOf(server.databaseOf(id)), application_name: "test" })
    sessions.push(session)
    await session.connect()
    for (const statement of ["begin", ...statements]) await session.query(statement)
    return () => session.query("rollback")
  }
  const theHold = "select pg_advisory_xact_lock(1751474546, 1869968482)"
  const alone = (id: string, on = postgres) =>
    Effect.runPromiseExit(on.tenants.transact(id, (db) => db.outbox.hold(), { locks: "hold" }))
  const lockUser = (id: string, user: string, on = postgres) =>
    Effect.runPromiseExit(on.tenants.transact(id, (db) => Effect.asVoid(db.users.lock(user))))
  const signIn = (id: string, user: string, on = postgres) => {
    const family = aSessionFamily({ id: randomUUID(), owner_id: user })
    const token = aRefreshToken({ id: randomUUID(), family_id: family.id })
    const known = { id: user, password_hash: "a hash" }
    return Effect.runPromiseExit(
      on.tenants.read(id, (db) => Effect.asVoid(db.signIns.insert(known, family, token, new Date()))),
    )
  }
  const read = (id: string, on = postgres) => Effect.runPromise(on.tenants.read(id, (db) => db.users.find({})))
  const addUser = async (id: string) => {
    const row = aUser({ id: randomUUID(), anonymous_id: randomUUID(), password_hash: "a hash" })
    await Effect.runPromise(postgres.tenants.transact(id, (db) => db.users.insert(row)))
    return row.id
  }
  const busy = Exit.fail(new TenantBusy({ retry_after_seconds: 1 }))

  it("answers TenantBusy where a lock is not free in time, and has changed nothing", async () => {
    const id = await project()
    const user = await addUser(id)
    const release = await keep(id, `select from app_users where id = '${user}' for update`)
    const before = postgres.lines().tenants.refused.lock
    const work = (db: TenantDb) => Effect.andThen(db.segments.insert(aSegment()), db.users.lock(user))
    expect(await Effect.runPromiseExit(postgres.tenants.transact(id, work))).toEqual(busy)
    const insert = (db: TenantDb) =>
      db.events.insert([anEvent({ id: randomUUID(), app_user_id: user })], { enqueue: true })
    expect(await Effect.runPromiseExit(postgres.tenants.read(id, insert))).toEqual(busy)
    expect(await signIn(id, user)).toEqual(busy)
    expect(postgres.lines().tenants.refused.lock).toBe(before + 3)
    await release()
    expect(await Effect.runPromise(postgres.tenants.read(id, (db) => db.segments.list({}, [])))).toEqual([])
    expect(Exit.isSuccess(await lockUser(id, user))).toBe(true)
  })

  it.each([
    ["the disk of the server is full", "53100", "space"],
    ["the memory of the server is full", "53200", "space"],
    ["the server takes no writes", "25006", "read-only"],
  ] as const)("answers TenantBusy where %s (%s)", async (_, code, reason) => {
    const id = await project()
    const session = await server.session(server.databaseOf(id))
    await session.run(
      `create function fill() returns trigger language plpgsql as
         $$ begin raise exception 'No space left' using errcode = '${code}'; end $$;
       create trigger fill before insert on app_users for each row execute function fill()`,
    )
    const before = postgres.lines().tenants.refused[reason]
    const row = aUser({ id: randomUUID(), anonymous_id: randomUUID() })
    const work = (db: TenantDb) => Effect.andThen(db.segments.insert(aSegment()), db.users.insert(row))
    expect(await Effect.runPromiseExit(postgres.tenants.transact(id, work))).toEqual(busy)
    expect(await Effect.runPromiseExit(postgres.tenants.read(id, (db) => db.users.insert(row)))).toEqual(busy)
    expect(postgres.lines().tenants.refused[reason]).toBe(before + 2)
    await session.run("drop trigger fill on app_users")
    await session.end()
    expect(await Effect.runPromise(postgres.tenants.read(id, (db) => db.segments.list({}, [])))).toEqual([])
    await addUser(id)
  })

  it.each([
    ["53100", "is out of space"],
    ["25006", "takes no writes"],
  ])("says once a minute what is to be mended at the server (%s), whichever projects meet it", async (code, what) => {
    const warned: Array<string> = []
    let now = Date.now()
    const own = await open({
      clock: { now: () => new Date(now) },
      onWarning: (message, cause) => warned.push(`${message} ${String(cause)}`),
    })
    const insert = async (id: string) => {
      const row = aUser({ id: randomUUID(), anonymous_id: randomUUID() })
      expect(await Effect.runPromiseExit(own.tenants.transact(id, (db) => db.users.insert(row)))).toEqual(busy)
    }
    const ids = [await server.project(own), await server.project(own)] as const
    for (const id of ids) {
      const session = await server.session(server.databaseOf(id))
      await session.run(
        `create function fill() returns trigger language plpgsql as
           $$ begin raise exception 'No space left' using errcode = '${code}'; end $$;
         create trigger fill before insert on app_users for each row execute function fill()`,
      )
      await session.end()
    }
    for (const id of [...ids, ...ids]) await insert(id)
    const line = expect.stringMatching(
      new RegExp(
        `^PostgreSQL ${what}, and what is to be written is answered with 503\\. .*${server.databaseOf(ids[0])}.*No space left`,
      ),
    )
    expect(warned).toEqual([line])
    now += 60_000
    await insert(ids[0])
    expect(warned).toEqual([line, line])
  })

  it("answers TenantBusy where a read takes longer than a statement may, and later than for a lock", async () => {
    const hurried = await open({ statementMillis: 1_000, lockMillis: 20_000 })
    const id = await server.project(hurried)
    const release = await keep(id, "lock table app_users in access exclusive mode")
    const before = hurried.lines().tenants.refused.time
    const slow = Exit.fail(new TenantBusy({ retry_after_seconds: 30 }))
    expect(await Effect.runPromiseExit(hurried.tenants.read(id, (db) => db.users.find({})))).toEqual(slow)
    expect(hurried.lines().tenants.refused.time).toBe(before + 1)
    // In a transaction it stays a defect, by which the dispatcher makes its batches smaller.
    const exit = await Effect.runPromiseExit(hurried.tenants.transact(id, (db) => db.users.find({})))
    expect(Exit.isFailure(exit) && hurried.tenants.faultOf(Cause.squash(exit.cause))).toBe("timeout")
    await release()
  })

  it("lets one caller at a time wait for the hold with a connection, and turns away who waits too long", async () => {
    const id = await project()
    const narrow = await open({ lockMillis: 20_000, acquireMillis: 2_000 })
    const release = await keep(id, theHold)
    const first = alone(id, narrow)
    await vi.waitFor(async () => expect(await server.waiting(server.databaseOf(id))).toBe(1))
    const rest = Array.from({ length: 520 }, () => alone(id, narrow))
    expect(narrow.figures().tenants).toMatchObject({ inUse: 1, waiting: 0 })
    expect(narrow.lines().tenants.inLine).toBe(500)
    expect(await Promise.all(rest)).toEqual(rest.map(() => busy))
    expect(narrow.lines().tenants).toEqual({
      inLine: 0,
      refused: { line: 520, connection: 0, lock: 0, deadlock: 0, time: 0, space: 0, "read-only": 0 },
    })
    await release()
    expect(Exit.isSuccess(await first)).toBe(true)
  })

  it("gets reads and plain inserts of a project through though all others wait for locks", async () => {
    const id = await project()
    const narrow = await open({ lockMillis: 20_000 })
    const [locked, other] = [await addUser(id), await addUser(id)]
    const release = await keep(id, theHold, `select from app_users where id = '${locked}' for update`)
    const waiting = Array.from({ length: 20 }, () => [
      alone(id, narrow),
      lockUser(id, locked, narrow),
      signIn(id, locked, narrow),
    ]).flat()
    await vi.waitFor(async () => expect(await server.waiting(server.databaseOf(id))).toBe(5))
    for (let turn = 0; turn < 5; turn += 1) {
      await read(id, narrow)
      const events = [anEvent({ id: randomUUID(), app_user_id: other })]
      await Effect.runPromise(narrow.tenants.read(id, (db) => db.events.insert(events, { enqueue: true })))
      const insert = (db: TenantDb) => db.segments.insert(aSegment({ id: randomUUID(), name: randomUUID() }))
      await Effect.runPromise(narrow.tenants.transact(id, insert, { locks: "none" }))
    }
    expect(await server.waiting(server.databaseOf(id))).toBe(5)
    await release()
    expect((await Promise.all(waiting)).every(Exit.isSuccess)).toBe(true)
  })

  it.each([4, 10])("leaves all others alone while %i projects wait for locks with all they have", async (count) => {
    const shared = await open({ lockMillis: 2_000 })
    const projects = await Promise.all(Array.from({ length: count }, project))
    const users = await Promise.all(projects.map(addUser))
    const late = await project()
    const user = await addUser(late)
    const releases = await Promise.all(
      projects.map((id, at) => keep(id, theHold, `select from app_users where id = '${users[at]}' for update`)),
    )
    let isBusy = true
    const exits: Array<Exit.Exit<void, unknown>> = []
    const insist = async (call: () => Promise<Exit.Exit<void, unknown>>) => {
      while (isBusy) exits.push(await call())
    }
    const callers = projects.flatMap((id, at) => [
      ...Array.from({ length: 10 }, () => insist(() => alone(id, shared))),
      ...Array.from({ length: 10 }, () => insist(() => lockUser(id, users[at] ?? "", shared))),
    ])
    await vi.waitFor(() => expect(shared.figures().tenants.inUse).toBeGreaterThan(count))
    const began = performance.now()
    const turns = 20
    for (let turn = 0; turn < turns; turn += 1) {
      expect(Exit.isSuccess(await alone(late, shared))).toBe(true)
      expect(Exit.isSuccess(await lockUser(late, user, shared))).toBe(true)
      await Promise.all([read(late, shared), ...projects.map((id) => read(id, shared))])
    }
    expect((performance.now() - began) / turns).toBeLessThan(1_800)
    expect(shared.figures().tenants.inUse).toBeLessThan(32)
    isBusy = false
    for (const release of releases) await release()
    await Promise.all(callers)
    const failed = exits.filter(Exit.isFailure)
    expect(failed).toEqual(failed.map(() => busy))
  })

  /** Two transactions at once that lock two things in opposite order, the first time that both are run. */
  const cross = async (runOne: (turn: 0 | 1, reached: () => Promise<void>) => Promise<unknown>) => {
    const both = Promise.withResolvers<void>()
    let arrived = 0
    const reached = () => {
      arrived += 1
      if (arrived === 2) both.resolve()
      return both.promise
    }
    return await Promise.all([runOne(0, reached), runOne(1, reached)])
  }

  it("runs a transaction again that was rolled back for a deadlock", async () => {
    const id = await project()
    const patient = await open({ lockMillis: 20_000 })
    const users = [await addUser(id), await addUser(id)]
    let runs = 0
    await cross((turn, reached) => {
      const work = (db: TenantDb) => {
        runs += 1
        return db.users
          .lock(users[turn] ?? "")
          .pipe(
            Effect.andThen(db.segments.insert(aSegment({ id: randomUUID() }))),
            Effect.andThen(Effect.promise(reached)),
            Effect.andThen(db.users.lock(users[1 - turn] ?? "")),
          )
      }
      return Effect.runPromise(patient.tenants.transact(id, work))
    })
    expect(runs).toBe(3)
    expect(await Effect.runPromise(postgres.tenants.read(id, (db) => db.segments.list({}, [])))).toHaveLength(2)
  })

  it("answers TenantBusy where work is rolled back for a deadlock at every try", async () => {
    const id = await project()
    let runs = 0
    const deadlock = (db: TenantDb) => {
      runs += 1
      const raise = Effect.promise(() =>
        Effect.runPromise(db.users.find({})).then(() => {
          throw Object.assign(new pg.DatabaseError("deadlock detected", 0, "error"), { code: "40P01" })
        }),
      )
      return raise
    }
    expect(await Effect.runPromiseExit(postgres.tenants.transact(id, deadlock))).toEqual(busy)
    expect(runs).toBe(3)
    expect(postgres.lines().tenants.refused.deadlock).toBe(1)
  })

  it("dies with ServiceUnavailable, which passes, where a lock of the control plane is not free in time", async () => {
    const row = aDeveloper({ id: randomUUID(), email: `${randomUUID()}@example.com` })
    await Effect.runPromise(postgres.control.transact((db) => db.developers.insert(row)))
    const session = new pg.Client({ connectionString: server.urlOf(server.controlDatabase) })
    sessions.push(session)
    await session.connect()
    await session.query("begin")
    await session.query(`select from developers where id = '${row.id}' for update`)
    const lock = Effect.runPromiseExit(postgres.control.transact((db) => db.developers.lock(row.id)))
    const exit = await lock
    const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : null
    expect(defect).toEqual(new ServiceUnavailable({ retry_after_seconds: 1 }))
    expect(postgres.tenants.faultOf(defect)).toBe("passing")
    await session.query("rollback")
  })
})
