import { randomUUID } from "node:crypto"
import { TenantBusy, type TenantDb } from "@hearth/core"
import type { NewEvent, WritingPlane } from "@hearth/core/events"
import { type Cut, databaseUrl, type PostgresProxy, startPostgresProxy } from "@hearth/test-services"
import { anEvent, aUser } from "@hearth/testing"
import { Effect, Exit, Fiber } from "effect"
import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import type { Postgres } from "../../../src/postgres/index.ts"
import { type TestServer, testServer } from "../server.ts"

const lockMillis = 600

describe("single events of many callers", () => {
  let server: TestServer
  let proxy: PostgresProxy
  let postgres: Postgres
  let project: string
  let user: string
  const sessions: Array<pg.Client> = []
  beforeAll(async () => {
    server = testServer()
    proxy = await startPostgresProxy(databaseUrl())
    postgres = await server.open({ databaseUrl: proxy.through(server.urlOf("postgres")), lockMillis })
    project = await server.project(postgres)
    user = await addUser()
  })
  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.end()))
    await rows("delete from outbox")
  })
  afterAll(async () => {
    await server.close()
    await proxy.close()
  })

  const rows = <Row>(text: string) => server.rows<Row>(server.databaseOf(project), text)
  const addUser = async () => {
    const row = aUser({ id: randomUUID(), anonymous_id: randomUUID() })
    await Effect.runPromise(postgres.tenants.transact(project, (db) => db.users.insert(row)))
    return row.id
  }
  const event = (given: Partial<NewEvent> = {}): NewEvent =>
    anEvent({ id: randomUUID(), app_user_id: user, external_id: randomUUID(), ...given })
  const events = (count: number) => Array.from({ length: count }, () => event())
  const insert = (one: NewEvent, plane: WritingPlane = "admin") =>
    postgres.tenants.read(project, (db: TenantDb) => db.events.insert([one], { enqueue: true, plane }))
  const write = (one: NewEvent, plane?: WritingPlane) => Effect.runPromiseExit(insert(one, plane))
  const inserted = ({ id }: NewEvent) => Exit.succeed({ inserted: [id] })
  const entries = async () =>
    (await rows<{ event_ids: ReadonlyArray<string> }>("select event_ids from outbox order by id")).map(
      ({ event_ids }) => event_ids,
    )
  const inLog = async (written: ReadonlyArray<NewEvent>) => {
    const ids = written.map(({ id }) => `'${id}'`).join()
    return (await rows<{ id: string }>(`select id from engagement_events where id in (${ids})`))
      .map(({ id }) => id)
      .sort()
  }
  const idsOf = (all: ReadonlyArray<NewEvent>) => all.map(({ id }) => id).sort()
  /** Keeps what a statement locks, from outside of the service, until the result is called. */
  const keep = async (statement: string) => {
    const session = new pg.Client({ connectionString: server.urlOf(server.databaseOf(project)) })
    sessions.push(session)
    await session.connect()
    await session.query("begin")
    await session.query(statement)
    return (end = "rollback") => session.query(end)
  }
  const locked = (id: string) => keep(`select from app_users where id = '${id}' for update`)
  const busy = Exit.fail(new TenantBusy({ retry_after_seconds: 1 }))

  it("are written together, up to 100 of them and 256 KB, with an entry of the outbox each time", async () => {
    const many = events(250)
    expect(await Promise.all(many.map((one) => write(one)))).toEqual(many.map(inserted))
    const groups = await entries()
    expect(groups.length).toBeLessThan(10)
    expect(Math.max(...groups.map((ids) => ids.length))).toBe(100)
    expect(groups.flat().sort()).toEqual(idsOf(many))
    await rows("delete from outbox")
    const large = Array.from({ length: 12 }, () => event({ properties: { text: "x".repeat(100_000) } }))
    expect(await Promise.all(large.map((one) => write(one)))).toEqual(large.map(inserted))
    expect(Math.max(...(await entries()).map((ids) => ids.length))).toBe(2)
  })

  it("are written one by one where nobody else writes", async () => {
    for (const one of events(3)) expect(await write(one)).toEqual(inserted(one))
    expect((await entries()).map((ids) => ids.length)).toEqual([1, 1, 1])
  })

  it("do not wait for another's user who is locked", async () => {
    const other = await addUser()
    const release = await locked(other)
    const [mine, theirs] = [events(60), events(3).map((one) => ({ ...one, app_user_id: other }))]
    let isRefused = false
    const first = mine.slice(0, 30).map((one) => write(one))
    const refused = Promise.all(theirs.map((one) => write(one))).finally(() => {
      isRefused = true
    })
    const rest = mine.slice(30).map((one) => write(one))
    expect(await Promise.all([...first, ...rest])).toEqual(mine.map(inserted))
    const later = events(20)
    expect(await Promise.all(later.map((one) => write(one)))).toEqual(later.map(inserted))
    expect(isRefused).toBe(false)
    expect(await refused).toEqual([busy, busy, busy])
    await release()
    expect(await inLog(theirs)).toEqual([])
    expect(await Promise.all(theirs.map((one) => write(one)))).toEqual(theirs.map(inserted))
  })

  it("are answered before one that waits for a removal, which then has no user", async () => {
    const other = await addUser()
    const release = await keep(`delete from app_users where id = '${other}'`)
    const [mine, theirs] = [events(20), event({ app_user_id: other })]
    const late = write(theirs)
    expect(await Promise.all(mine.map((one) => write(one)))).toEqual(mine.map(inserted))
    await release("commit")
    expect(await late).toEqual(Exit.succeed({ unknown_users: [0] }))
  })

  it("are not lost to one that the database refuses", async () => {
    const [many, bad] = [events(40), event({ occurred_at: new Date(Number.NaN) })]
    const all = [...many.slice(0, 20), bad, ...many.slice(20)]
    const exits = await Promise.all(all.map((one) => write(one)))
    expect(exits.filter((_, at) => at !== 20)).toEqual(many.map(inserted))
    expect(Exit.hasDies(exits[20] as Exit.Exit<unknown>)).toBe(true)
    expect((await entries()).flat().sort()).toEqual(idsOf(many))
  })

  it("are not lost with one whose caller is gone", async () => {
    const release = await keep("lock table engagement_events in share mode")
    const [many, gone] = [events(20), event()]
    const before = many.slice(0, 10).map((one) => write(one))
    const fiber = Effect.runFork(insert(gone))
    const after = many.slice(10).map((one) => write(one))
    await Effect.runPromise(Fiber.interrupt(fiber))
    await release()
    expect(await Promise.all([...before, ...after])).toEqual(many.map(inserted))
    expect(await inLog(many)).toEqual(idsOf(many))
  })

  it("are turned away beyond 1,000 that wait, and nothing of theirs is written", async () => {
    const release = await keep("lock table engagement_events in share mode")
    const many = events(2_000)
    const before = postgres.lines().tenants.refused.line
    const writing = many.map((one) => write(one))
    await vi.waitFor(() => expect(postgres.lines().tenants.refused.line - before).toBeGreaterThan(500))
    await release()
    const exits = await Promise.all(writing)
    const written = many.filter((_, at) => Exit.isSuccess(exits[at] as Exit.Exit<unknown>))
    const refused = exits.filter((exit) => !Exit.isSuccess(exit))
    expect(refused).toEqual(refused.map(() => busy))
    expect(written.length).toBeGreaterThanOrEqual(1_000)
    expect(await inLog(many)).toEqual(idsOf(written))
  })

  it.each<Cut>(["before", "after", "sent", "stalled"])(
    "are written once where the answer is lost (cut %s)",
    async (where) => {
      const known = events(5)
      for (const one of known) await write(one)
      await rows("delete from outbox")
      const fresh = events(20)
      const unknown = event({ app_user_id: randomUUID() })
      const repeated = known.map((one) => ({ ...one, id: randomUUID() }))
      const cut = proxy.cutAt("insert-and-queue-event-group-admin", where)
      const exits = await Promise.all([...fresh, unknown, ...repeated].map((one) => write(one)))
      await cut
      expect(exits.slice(0, 20)).toEqual(fresh.map(inserted))
      expect(exits[20]).toEqual(Exit.succeed({ unknown_users: [0] }))
      expect(exits.slice(21)).toEqual(repeated.map(() => Exit.succeed({ inserted: [] })))
      expect((await entries()).flat().sort()).toEqual(idsOf(fresh))
      await vi.waitFor(() => expect(postgres.figures().tenants.inUse).toBe(0))
    },
  )
})
