import { aUser } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { countRetries, openNode, type TestNode } from "../nodes.ts"
import { ids, type TestServer, testServer } from "../server.ts"

const rounds = 12

describe("tracking sessions in two processes", () => {
  let server: TestServer
  let nodes: readonly [TestNode, TestNode]
  let project: string
  const { retries, wrap } = countRetries()

  beforeAll(async () => {
    server = testServer()
    nodes = [await openNode(server, { wrap }), await openNode(server, { wrap })]
    project = await server.project(await server.open())
  })
  afterAll(() => server.close())

  const rows = <Row>(text: string) => server.rows<Row>(server.databaseOf(project), text)
  const user = async () => {
    const row = aUser({ id: ids.uuid(), anonymous_id: ids.uuid() })
    await Effect.runPromise(nodes[0].tenants.transact(project, (db) => Effect.orDie(db.users.insert(row))))
    return row.id
  }
  const node = (n: number) => nodes[n % 2 === 0 ? 0 : 1].core
  const start = (n: number, userId: string, session_id: string) =>
    node(n).trackingSessions.start(project, userId, {
      ...{ session_id, platform: null, app_version: null, device_model: null, metadata: {} },
    })
  const end = (n: number, userId: string, sessionId: string) => node(n).trackingSessions.end(project, userId, sessionId)
  const beat = (n: number, userId: string, sessionId: string) =>
    node(n).trackingSessions.heartbeat(project, userId, sessionId)
  /** Runs all at once, and answers what died or failed otherwise than with these tags. */
  const together = async (effects: ReadonlyArray<Effect.Effect<unknown, unknown>>, expected: RegExp) => {
    const exits = await Promise.all(effects.map((effect) => Effect.runPromiseExit(effect)))
    return exits.flatMap((exit) =>
      Exit.isFailure(exit) && !expected.test(String(exit.cause)) ? [String(exit.cause)] : [],
    )
  }
  const age = () =>
    rows(
      `update tracking_sessions set started_at = started_at - interval '31 minutes',
         last_seen_at = last_seen_at - interval '31 minutes', check_at = check_at - interval '31 minutes'
       where ended_at is null`,
    )

  it("start, end and lapse once each, whoever does it, without a deadlock [H5.1]", async () => {
    const users = await Promise.all(Array.from({ length: 6 }, user))
    for (let round = 0; round < rounds; round += 1) {
      const sessionId = `s${round}`
      const starts = users.flatMap((id) => [0, 1, 2, 3].map((n) => start(n, id, sessionId)))
      expect(await together(starts, /never/)).toEqual([])
      if (round % 2 === 0) await age()
      const moves = users.flatMap((id, at) => [
        ...[end(at, id, sessionId), beat(at, id, sessionId), start(at + 1, id, sessionId)],
        ...(at % 3 === 0 ? [] : [end(at + 1, id, sessionId), end(at, id, sessionId)]),
      ])
      const background = [0, 1].map((n) => node(n).background.process(project))
      expect(await together([...moves, ...background], /SessionNotOpen/)).toEqual([])
    }
    expect(retries.count).toBe(0)
    const [counted] = await rows(
      `select count(*)::int as sessions, count(*) filter (where ended_at is null)::int as open,
         (select count(*)::int from engagement_events where event_name = 'session_started') as starts,
         (select count(*)::int from engagement_events where event_name = 'session_ended') as ends
       from tracking_sessions`,
    )
    const sessions = users.length * rounds
    expect(counted).toEqual({ sessions, open: 0, starts: sessions, ends: sessions })
  })

  it("go with their users while they are ended in the background [H5.1]", async () => {
    const users = await Promise.all(Array.from({ length: 20 }, user))
    await Effect.runPromise(Effect.all(users.map((id, at) => start(at, id, "gone"))))
    await age()
    const removals = users.flatMap((id, at) => (at % 2 === 0 ? [node(at).users.remove(project, id)] : []))
    const background = [0, 1].map((n) => node(n).background.process(project))
    expect(await together([...removals, ...background], /never/)).toEqual([])
    await Effect.runPromise(node(0).background.process(project))
    const left = await rows<{ ended: boolean }>(
      "select ended_at is not null as ended from tracking_sessions where session_id = 'gone'",
    )
    expect(left).toEqual(Array(10).fill({ ended: true }))
    expect(nodes.flatMap(({ signals }) => signals.of("processing_failed"))).toEqual([])
  })

  it("are kept open by heartbeats that add nothing to an index", async () => {
    const id = await user()
    await Effect.runPromise(start(0, id, "hot"))
    for (let n = 0; n < 20; n += 1) await Effect.runPromise(beat(n, id, "hot"))
    const hot = async () => {
      const [row] = await rows<{ hot: number }>(
        `select pg_stat_force_next_flush(), n_tup_hot_upd::int as hot from pg_stat_user_tables
         where relname = 'tracking_sessions'`,
      )
      return row?.hot ?? 0
    }
    await expect.poll(hot).toBeGreaterThanOrEqual(20)
  })
})
