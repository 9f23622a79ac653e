import { createEngagement, type TenantDb } from "@hearth/core"
import type { NewStreakDefinition, StreakKey } from "@hearth/core/streaks"
import { aUser, manualClock } from "@hearth/testing"
import { Effect } from "effect"
import pg from "pg"
import { expect } from "vitest"
import { memoryPorts } from "../nodes.ts"
import { ids, type TestServer, testServer } from "../server.ts"

const plain: Omit<NewStreakDefinition, "name"> = {
  description: null,
  qualifying_event: "lesson",
  period: "daily",
  grace_period_hours: 0,
  freeze_enabled: true,
  max_freezes: 2,
  freezes_per_n_events: null,
}

/** A point in a transaction at which somebody waits for the test. */
export interface Latch {
  /** Ends when the transaction is there. */
  readonly reached: Promise<void>
  /** Lets it go on. */
  readonly release: () => void
}

/** A server of a suite. Each of its worlds is a service over it, at noon of 2 March 2026, with a project of its own. */
export const streakServer = () => {
  const server = testServer()
  return { world: () => makeWorld(server), close: server.close }
}

const makeWorld = async (server: TestServer) => {
  const clock = manualClock(new Date("2026-03-02T12:00:00.000Z"))
  const postgres = await server.open({ clock })
  const project = await server.project(postgres)
  const database = server.databaseOf(project)
  let pause: { readonly reach: () => void; readonly released: Promise<void> } | null = null

  const waitForLatch = Effect.promise(async () => {
    const waited = pause
    pause = null
    waited?.reach()
    await waited?.released
  })
  /** When it has locked streaks, a transaction waits for the latch, where there is one. Repositories are made when first used. */
  const withPause = (db: TenantDb): TenantDb =>
    new Proxy(db, {
      get: (target, name) =>
        name === "userStreaks"
          ? {
              ...target.userStreaks,
              lockMany: (keys: ReadonlyArray<StreakKey>) => Effect.tap(target.userStreaks.lockMany(keys), waitForLatch),
            }
          : Reflect.get(target, name, target),
    })
  const { control, news, revocations, tenants } = postgres
  const memory = memoryPorts(clock)
  const { signals } = memory
  const core = createEngagement({
    ...{ ...memory, control, news, revocations },
    tenants: { ...tenants, transact: (id, work) => tenants.transact(id, (db) => work(withPause(db))) },
  })
  const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)
  const opened: Array<pg.Client> = []
  return {
    ...{ clock, project, core, run, tenants },
    define: (given: Partial<NewStreakDefinition> = {}) =>
      run(core.streaks.create(project, { ...plain, name: "Lessons", ...given })),
    /** Users who were last seen just now, so that earlier events do not change their rows. */
    users: async (count: number, timezone: string | null = null) => {
      const rows = Array.from({ length: count }, () =>
        aUser({ id: ids.uuid(), anonymous_id: ids.uuid(), timezone, last_seen_at: clock.now() }),
      )
      await run(
        tenants.transact(project, (db) =>
          Effect.orDie(Effect.forEach(rows, (row) => db.users.insert(row), { discard: true })),
        ),
      )
      return rows.map(({ id }) => id)
    },
    record: (users: ReadonlyArray<string>, ...instants: ReadonlyArray<string>) => {
      const events = users.flatMap((app_user_id) =>
        instants.map((occurred_at) => ({ app_user_id, event_name: "lesson", occurred_at })),
      )
      return run(core.events.record(project, { events }))
    },
    process: () => run(core.background.process(project)),
    /** The next transaction that locks streaks waits after that. */
    pauseAfterLock: (): Latch => {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      pause = { reach: reached.resolve, released: released.promise }
      return { reached: reached.promise, release: released.resolve }
    },
    /** A connection beside the service, in the middle of a transaction that has run these statements. */
    begin: async (...statements: ReadonlyArray<string>) => {
      const client = new pg.Client({ connectionString: server.urlOf(database), application_name: "test" })
      await client.connect()
      opened.push(client)
      await client.query("begin")
      for (const statement of statements) await client.query(statement)
      return { commit: () => client.query("commit") }
    },
    /** How many batches and entries were handled at their first try. */
    handled: () => signals.of("events_reacted").length,
    /** What went wrong in the background, also where another try has made up for it. */
    failures: () =>
      (["processing_failed", "task_failed", "event_set_aside"] as const).flatMap((name) => signals.of(name)),
    /** Waits until somebody of the service waits for a lock. */
    somebodyWaits: () => expect.poll(() => server.waiting(database)).toBeGreaterThan(0),
    streaks: (user: string) =>
      run(tenants.read(project, (db) => db.userStreaks.list({ app_user_id: user }, [["last_period", "asc"]]))),
    close: () => Promise.all(opened.map((client) => client.end())),
  }
}

/** A service with a project of its own. */
export type StreakWorld = Awaited<ReturnType<typeof makeWorld>>
