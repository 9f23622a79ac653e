import { randomUUID } from "node:crypto"
import { Duplicate, type TenantDb, TenantUnavailable } from "@hearth/core"
import type { NewEvent, WritingPlane } from "@hearth/core/events"
import { type Cut, databaseUrl, type PostgresProxy, startPostgresProxy } from "@hearth/test-services"
import { aDeveloper, anEvent, aRefreshToken, aSegment, aSessionFamily, aUser } from "@hearth/testing"
import { Effect, Exit, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Postgres } from "../../../src/postgres/index.ts"
import { type TestServer, testServer } from "../server.ts"

const confirmMillis = 400

// A statement that is prepared is named whenever it is sent; a commit is a message of its own.
const ingest = "insert-and-queue-event"
const commit = "commit\0"

describe("a write whose answer is lost", () => {
  let server: TestServer
  let proxy: PostgresProxy
  let direct: Postgres
  let postgres: Postgres
  let brief: Postgres
  let project: string
  const user = { ...aUser(), id: randomUUID(), anonymous_id: randomUUID() }
  beforeAll(async () => {
    server = testServer()
    direct = await server.open()
    proxy = await startPostgresProxy(databaseUrl())
    const through = proxy.through(server.urlOf("postgres"))
    postgres = await server.open({ databaseUrl: through })
    brief = await server.open({ databaseUrl: through, confirmMillis })
    project = await server.project(direct)
    await transact((db) => db.users.insert(user), direct)
  })
  afterAll(async () => {
    await server.close()
    await proxy.close()
  })

  const transact = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>, on = postgres) =>
    Effect.runPromise(on.tenants.transact(project, work))
  const rows = <Row>(text: string) => server.rows<Row>(server.databaseOf(project), text)
  const insert = (events: ReadonlyArray<NewEvent>, on = postgres, plane: WritingPlane = "admin") =>
    Effect.runPromiseExit(on.tenants.read(project, (db) => db.events.insert(events, { enqueue: true, plane })))
  const event = (external_id: string | null = null): NewEvent =>
    anEvent({ id: randomUUID(), app_user_id: user.id, external_id })
  const inLog = async (events: ReadonlyArray<NewEvent>) => {
    const ids = events.map(({ id }) => `'${id}'`).join()
    const found = await rows<{ id: string }>(`select id from engagement_events where id in (${ids})`)
    return found.map(({ id }) => id).sort()
  }
  const queued = async (events: ReadonlyArray<NewEvent>) => {
    const all = await rows<{ event_ids: ReadonlyArray<string> }>("select event_ids from outbox")
    const ids = new Set(events.map(({ id }) => id))
    return all.flatMap(({ event_ids }) => event_ids.filter((id) => ids.has(id))).sort()
  }
  const unknown = Exit.fail(new TenantUnavailable({ outcome: "unknown" }))
  const segments = () => rows("select 1 from segments")

  describe.each<Cut>(["before", "after", "sent", "stalled"])("cut %s", (where) => {
    it.each([1, 3])("an ingest of %i is in the log and the outbox once, and counted right", async (count) => {
      const events = Array.from({ length: count }, () => event())
      const cut = proxy.cutAt(ingest, where)
      expect(await insert(events)).toEqual(Exit.succeed({ inserted: events.map(({ id }) => id) }))
      await cut
      const ids = events.map(({ id }) => id).sort()
      expect([await inLog(events), await queued(events)]).toEqual([ids, ids])
    })

    it.each([1, 3])("an ingest of %i from an app is in the log and the outbox once", async (count) => {
      const events = Array.from({ length: count }, () => event(randomUUID()))
      const cut = proxy.cutAt(`${ingest}${count === 1 ? "-group-of-one" : "s"}-client`, where)
      expect(await insert(events, postgres, "client")).toEqual(Exit.succeed({ inserted: events.map(({ id }) => id) }))
      await cut
      const ids = events.map(({ id }) => id).sort()
      expect([await inLog(events), await queued(events)]).toEqual([ids, ids])
      const again = events.map(({ external_id }) => event(external_id))
      expect(await insert(again, postgres, "client")).toEqual(Exit.succeed({ inserted: [] }))
    })

    it("an ingest skips what was there before, and only that", async () => {
      const known = [event(randomUUID()), event(randomUUID())]
      await insert(known, direct)
      const again = known.map(({ external_id }) => event(external_id))
      const events = [event(randomUUID()), ...again, event()]
      const cut = proxy.cutAt(ingest, where)
      const fresh = [events[0]?.id ?? "", events[3]?.id ?? ""]
      expect(await insert(events)).toEqual(Exit.succeed({ inserted: fresh }))
      await cut
      expect([await inLog(events), await queued(events)]).toEqual([fresh.sort(), fresh])
    })

    it("a sign-up is written once", async () => {
      const fresh = { ...aUser(), id: randomUUID(), anonymous_id: randomUUID() }
      const family = aSessionFamily({ id: randomUUID(), owner_id: fresh.id })
      const token = aRefreshToken({ id: randomUUID(), family_id: family.id })
      const signUp = (db: TenantDb) => db.signUps.insert(fresh, family, token)
      const cut = proxy.cutAt("sign-up", where)
      await Effect.runPromise(postgres.tenants.read(project, signUp))
      await cut
      const sessions = await rows(`select from app_user_session_families where owner_id = '${fresh.id}'`)
      const tokens = await rows(`select from app_user_sessions where family_id = '${family.id}'`)
      expect([sessions.length, tokens.length]).toEqual([1, 1])
      // The same once more is not the same try.
      const repeated = await Effect.runPromise(Effect.flip(postgres.tenants.read(project, signUp)))
      expect(repeated).toEqual(new Duplicate({ key: ["id"] }))
    })

    it("a sign-in by password is written once, and answers the user", async () => {
      const known = { ...aUser(), id: randomUUID(), anonymous_id: randomUUID(), password_hash: "a hash" }
      await transact((db) => Effect.orDie(db.users.insert(known)), direct)
      const family = aSessionFamily({ id: randomUUID(), owner_id: known.id })
      const token = aRefreshToken({ id: randomUUID(), family_id: family.id })
      const cut = proxy.cutAt("sign-in", where)
      const signIn = (db: TenantDb) => db.signIns.insert(known, family, token, null)
      expect(await Effect.runPromise(postgres.tenants.read(project, signIn))).toEqual(Option.some(known))
      await cut
      const sessions = await rows(`select from app_user_session_families where owner_id = '${known.id}'`)
      const tokens = await rows(`select from app_user_sessions where family_id = '${family.id}'`)
      expect([sessions.length, tokens.length]).toEqual([1, 1])
    })

    it("a transaction is committed once, and its result is the answer", async () => {
      const before = (await segments()).length
      let runs = 0
      const cut = proxy.cutAt(commit, where)
      const answer = await transact((db) => {
        runs += 1
        return Effect.as(db.segments.insert(aSegment({ id: randomUUID() })), "done")
      })
      await cut
      expect(answer).toBe("done")
      expect((await segments()).length).toBe(before + 1)
      expect(runs).toBe(where === "before" || where === "stalled" ? 2 : 1)
    })

    it("a transaction of the control plane is committed once", async () => {
      const id = randomUUID()
      const developer = aDeveloper({ id, email: `${id}@example.com` })
      const cut = proxy.cutAt(commit, where)
      await Effect.runPromise(postgres.control.transact((db) => db.developers.insert(developer)))
      await cut
      const found = await server.rows(server.controlDatabase, `select 1 from developers where id = '${id}'`)
      expect(found).toHaveLength(1)
    })
  })

  it("waits for the end of a first try that is still at work", async () => {
    const [events, held] = [[event(), event()], Promise.withResolvers<void>()]
    const release = Promise.withResolvers<void>()
    // Stronger than the lock of `lock`: it keeps events from the user.
    const holding = transact(
      (db) =>
        db.users
          .remove({ id: user.id })
          .pipe(
            Effect.andThen(Effect.sync(held.resolve)),
            Effect.andThen(Effect.promise(() => release.promise)),
            Effect.andThen(Effect.fail("changed my mind")),
          ),
      direct,
    ).catch(() => {})
    await held.promise
    const cut = proxy.cutAt(ingest, "sent")
    const written = insert(events)
    await cut
    await vi.waitFor(async () => expect(await server.waiting(server.databaseOf(project))).toBe(2))
    release.resolve()
    await holding
    expect(await written).toEqual(Exit.succeed({ inserted: events.map(({ id }) => id) }))
    expect(await inLog(events)).toHaveLength(2)
  })

  it("is of unknown outcome where no connection answers in time", async () => {
    for (const where of ["before", "after"] as const) {
      const events = [event()]
      await insert([event()], brief)
      const cut = proxy.cutAt(ingest, where).then(() => proxy.refuse(true))
      const began = performance.now()
      expect(await insert(events, brief)).toEqual(unknown)
      expect(performance.now() - began).toBeGreaterThan(confirmMillis - 50)
      await cut
      proxy.refuse(false)
      expect(await inLog(events)).toHaveLength(where === "after" ? 1 : 0)
    }
    const cut = proxy.cutAt(commit, "after").then(() => proxy.refuse(true))
    const work = (db: TenantDb) => db.segments.insert(aSegment({ id: randomUUID() }))
    expect(await Effect.runPromiseExit(brief.tenants.transact(project, work))).toEqual(unknown)
    await cut
    proxy.refuse(false)
    await vi.waitFor(() => expect(brief.figures().tenants.inUse).toBe(0))
  })

  it("is of no unknown outcome where its project was removed meanwhile, by another process", async () => {
    const databaseUrl = proxy.through(server.urlOf("postgres"))
    const { tenants } = await server.open({ databaseUrl, confirmMillis: 50_000 })
    const writes: ReadonlyArray<readonly [message: string, write: (id: string) => Effect.Effect<unknown, unknown>]> = [
      [ingest, (id) => tenants.read(id, (db) => db.events.insert([event()], { enqueue: true, plane: "admin" }))],
      [commit, (id) => tenants.transact(id, (db) => db.segments.insert(aSegment({ id: randomUUID() })))],
    ]
    for (const [message, write] of writes) {
      const removed = await server.project(direct)
      // The first use of a project asks for its schema.
      await Effect.runPromise(tenants.read(removed, (db) => db.users.find({})))
      const cut = proxy.cutAt(message, "after").then(() => proxy.refuse(true))
      const written = Effect.runPromiseExit(write(removed))
      await cut
      await Effect.runPromise(direct.control.transact((db) => db.projects.update(removed, { is_ready: false })))
      await Effect.runPromise(direct.tenants.drop(removed))
      proxy.refuse(false)
      expect(await written).toEqual(Exit.fail(new TenantUnavailable()))
    }
  })

  it("is of unknown outcome where its database is missing, and its project is there", async () => {
    const restored = await server.project(direct)
    await Effect.runPromise(brief.tenants.read(restored, (db) => db.users.find({})))
    const cut = proxy.cutAt(commit, "after").then(() => proxy.refuse(true))
    const work = (db: TenantDb) => db.segments.insert(aSegment({ id: randomUUID() }))
    const written = Effect.runPromiseExit(brief.tenants.transact(restored, work))
    await cut
    await server.rows("postgres", `drop database "${server.databaseOf(restored)}" with (force)`)
    proxy.refuse(false)
    expect(await written).toEqual(unknown)
  })

  it("is not repeated where nothing was sent", async () => {
    const idle = await server.open({ databaseUrl: proxy.through(server.urlOf("postgres")), idleMillis: 1 })
    // The first use of a project asks for its schema.
    await insert([event()], idle)
    await vi.waitFor(() => expect(idle.figures().tenants.idle).toBe(0))
    proxy.refuse(true)
    const began = performance.now()
    expect(await insert([event()], idle)).toEqual(Exit.fail(new TenantUnavailable()))
    // Asking again would take the five seconds that `idle` is given for it.
    expect(performance.now() - began).toBeLessThan(4_500)
    proxy.refuse(false)
  })
})
