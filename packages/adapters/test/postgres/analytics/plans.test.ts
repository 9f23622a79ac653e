import type { SessionFigures } from "@hearth/core/analytics"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeActiveDays } from "../../../src/postgres/analytics/active-days.ts"
import { makeAnalytics } from "../../../src/postgres/analytics/analytics.ts"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { makeTrackingSessions } from "../../../src/postgres/tracking-sessions/tracking-sessions.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const dayMillis = 86_400_000
const now = new Date()
const range = { since: new Date(now.getTime() - dayMillis), until: now }
const today = now.toISOString().slice(0, 10)

describe("the plans of sessions and figures", () => {
  let database: ProjectClient

  beforeAll(async () => {
    database = await openProjectClient([
      `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       select gen_random_uuid(), 'x', 'anon_' || n, '[]', '{}', now() - n * interval '1 hour', now(), false, now(), now()
       from generate_series(1, 5000) as n`,
      `insert into tracking_sessions (id, app_user_id, session_id, started_at, ended_at, duration_seconds, metadata,
         last_seen_at, check_at)
       select gen_random_uuid(), users.ids[1 + n % 5000], 's' || n, now() - n * interval '5 minutes',
         case when n > 100 then now() end, 0, '{}', now(), now() + interval '1 minute'
       from generate_series(1, 30000) as n, (select array_agg(id) as ids from app_users) as users`,
      `insert into user_active_days select id, day::date from app_users,
         generate_series(now() - interval '20 days', now(), interval '1 day') as day`,
      "vacuum analyze",
    ])
  })
  afterAll(() => database.close())

  /** The indexes that a statement uses, and the tables that it reads as a whole. */
  const planOf = async (work: (statements: Statements) => Effect.Effect<unknown>) => {
    let plan = ""
    const explain = (text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.promise(async () => {
        const bound = values.map((value) => (value instanceof Date ? value.toISOString() : value))
        plan += JSON.stringify((await database.client.query(`explain (format json) ${text}`, bound)).rows)
        return [{} as SessionFigures]
      })
    const explained = { rows: explain, send: explain, instant: explain } as unknown as Statements
    await Effect.runPromise(Effect.exit(work(explained)))
    return {
      indexes: new Set([...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name)),
      scans: [...plan.matchAll(/"Node Type":"Seq Scan"[^}]*?"Relation Name":"(\w+)"/g)].map(([, table]) => table),
    }
  }
  const shape = {
    name: "tracking_sessions",
    columns: [],
    json: new Set<string>(),
    nullable: new Set<string>(),
    uniqueKeys: new Map(),
  }

  it("of due sessions read those that are open only", async () => {
    const open = new Set(["tracking_sessions_open_index"])
    expect(await planOf((statements) => makeTrackingSessions(statements, shape).nextCheckAt())).toEqual({
      ...{ indexes: open, scans: [] },
    })
    const due = await planOf((statements) => makeTrackingSessions(statements, shape).lockDue(now, 1_000))
    expect(due.indexes).toContain("tracking_sessions_open_index")
    expect(due.scans).toEqual([])
  })

  it("of figures read the days of their range only", async () => {
    const sessions = await planOf((statements) => makeAnalytics(statements).sessions(range, now))
    expect(sessions).toEqual({ indexes: new Set(["tracking_sessions_started_at_index"]), scans: [] })
    const byDay = await planOf((statements) => makeAnalytics(statements).activeByDay({ first: today, last: today }))
    expect(byDay).toEqual({ indexes: new Set(["user_active_days_day_app_user_id_index"]), scans: [] })
    for (const work of ["newByDay", "cohortSizes"] as const) {
      const { indexes, scans } = await planOf((statements) => makeAnalytics(statements)[work](range))
      expect([indexes, scans]).toEqual([new Set(["app_users_first_seen_at_index"]), []])
    }
  })

  it("of noting days look for each day by an index", async () => {
    const { indexes, scans } = await planOf((statements) =>
      makeActiveDays(statements).add([{ app_user_id: "00000000-0000-7000-8000-000000000000", day: today }]),
    )
    // Both of its indexes have the whole key.
    expect([...indexes].some((name) => name?.startsWith("user_active_days_"))).toBe(true)
    expect(scans).toEqual([])
  })
})
