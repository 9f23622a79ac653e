import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aStreak, aUser, daysAgo, noonZone, streaksOf, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

/** Makes a worker wait until the transaction of the test that ran this has ended. */
const gate = "pg_advisory_xact_lock(7)"

/** Makes every commit that touched a streak wait at the gate. */
const gateAtCommit = `
  create function wait_at_gate() returns trigger language plpgsql as $$ begin perform ${gate}; return null; end $$;
  create constraint trigger at_gate after insert or update on user_streaks
    deferrable initially deferred for each row execute function wait_at_gate()`

describe("a worker that is killed", () => {
  const harness = makeHarness()
  const zone = noonZone().name
  let environment: Readonly<Record<string, string>>
  let sql: Sql
  let server: TestServer

  beforeAll(async () => {
    const database = await harness.database()
    environment = database.environment
    sql = database.sql
    server = await harness.server(environment)
  })
  afterAll(harness.clear)

  /** Makes a project in which the events of a user wait for a worker. */
  const makeBacklog = async () => {
    const project = await aProject(server.api)
    await aStreak(server.api, project, { freeze_enabled: true, max_freezes: 1 })
    const user = await aUser(server.api, project, zone)
    const events = [4, 3, 1, 0].map((days) => ({ event_name: "lesson_completed", occurred_at: daysAgo(days) }))
    await server.api.ok("POST", "/client/events", user.as, { events })
    return { project, user }
  }

  /** The statements of the service that wait for a lock in a project's database. */
  const waitingForLocks = async (project: TestProject) =>
    (
      await sql.rows<{ query: string }>(
        project.id,
        `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and application_name = 'hearth'`,
      )
    ).map(({ query }) => query)

  const counted = async (project: TestProject) => {
    const [row] = await sql.rows<Record<string, number>>(
      project.id,
      `select (select count(*)::int from outbox where topic = 'events') as waiting, (select count(*)::int from user_streaks) as streaks,
        (select count(*)::int from streak_events where kind = 'done') as done,
        (select count(*)::int from streak_events where kind = 'freeze') as frozen`,
    )
    return row
  }

  const isDone = { waiting: 0, streaks: 1, done: 4, frozen: 1 }
  const isUntouched = { waiting: 1, streaks: 0, done: 0, frozen: 0 }

  const expectRightStreak = async ({ project, user }: Awaited<ReturnType<typeof makeBacklog>>) => {
    const [streak, ...others] = await streaksOf(server.api, project, user.id)
    expect(others).toEqual([])
    expect(streak).toMatchObject({ current_count: 4, longest_count: 4, freezes_remaining: 0, status: "active" })
  }

  it("between reading a batch and writing leaves nothing of it, and another worker handles it once", async () => {
    const backlog = await makeBacklog()
    const { project } = backlog
    const lock = await sql.session(project.id)
    await lock.run("begin; lock table user_streaks in exclusive mode")
    const first = await harness.worker(environment)
    await expect
      .poll(() => waitingForLocks(project))
      .toContainEqual(expect.stringMatching(/user_streaks .* for no key update/))
    await first.end("SIGKILL")
    await lock.run("rollback")
    await lock.end()
    await expect.poll(() => waitingForLocks(project)).toEqual([])
    expect(await counted(project)).toEqual(isUntouched)

    const second = await harness.worker(environment)
    await expect.poll(() => counted(project)).toEqual(isDone)
    await expectRightStreak(backlog)
    await second.end("SIGTERM")
  })

  it("while it commits leaves the batch handled, and no other worker handles it again", async () => {
    const backlog = await makeBacklog()
    const { project } = backlog
    await sql.rows(project.id, gateAtCommit)
    const lock = await sql.session(project.id)
    await lock.run(`begin; select ${gate}`)
    const first = await harness.worker(environment)
    await expect.poll(() => waitingForLocks(project)).toContainEqual(expect.stringMatching(/^commit/i))
    expect(await counted(project)).toEqual(isUntouched)
    await first.end("SIGKILL")
    await lock.run("rollback")
    await lock.end()
    await expect.poll(() => counted(project)).toEqual(isDone)
    // Noted at the end of the first look at a project. The killed worker did not come that far.
    const looked = "select 1 from project_jobs where project_id = $1 and job = 'dead-letters'"
    expect(await sql.rows("hearth", looked, [project.id])).toEqual([])

    const second = await harness.worker(environment)
    await expect.poll(() => sql.rows("hearth", looked, [project.id])).toHaveLength(1)
    expect(await counted(project)).toEqual(isDone)
    await expectRightStreak(backlog)
    await second.end("SIGTERM")
  })

  it("while another worker waits for its transaction leaves the batch to that one, which handles it once", async () => {
    const backlog = await makeBacklog()
    const { project } = backlog
    const lock = await sql.session(project.id)
    await lock.run("begin; lock table user_streaks in exclusive mode")
    const [killed, living] = [await harness.worker(environment), await harness.worker(environment)]
    await expect.poll(async () => (await waitingForLocks(project)).length).toBeGreaterThan(1)
    await killed.end("SIGKILL")
    await lock.run("rollback")
    await lock.end()
    // The other one may have given up the lock by now, and looks again after five seconds.
    await expect.poll(() => counted(project)).toEqual(isDone)
    await expectRightStreak(backlog)
    expect(await living.end("SIGTERM")).toEqual({ code: 0, signal: null })
  })
})
