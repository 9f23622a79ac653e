import { randomUUID } from "node:crypto"
import { connect } from "node:net"
import { atMost, type Figure } from "../bench/harness/figure.ts"
import type { Api } from "../packages/server/test/harness/api.ts"
import { postmasterOf } from "../packages/server/test/harness/data-dir.ts"
import { aProject, aStreak, aUser, type TestProject, type TestUser } from "../packages/server/test/harness/fixtures.ts"
import type { Harness } from "../packages/server/test/harness/harness.ts"
import { waitUntil, withHarness } from "./harness.ts"

const patienceMillis = 90_000

/** Whether an event is acknowledged at this moment. */
const takesEvents = (api: Api, user: TestUser) => async () =>
  (await api.call("POST", "/client/events", user.as, { event_name: "lesson", event_id: randomUUID() })).status === 200

/** Whether a user's events have been counted: the streak of one who has just posted. */
const hasStreak =
  (api: Api, { admin, owner }: TestProject, userId: string) =>
  async () => {
    const { data } = await api.call<{ streaks: ReadonlyArray<unknown> }>("GET", `${admin}/users/${userId}`, owner.as)
    return data.streaks.length === 1
  }

/** Posts a first event of a new user. Answers a wait until it is counted. */
const postAndWait = async (api: Api, project: TestProject) => {
  const user = await aUser(api, project)
  await api.ok("POST", "/client/events", user.as, { event_name: "lesson" })
  return () => waitUntil("a waiting event", patienceMillis, hasStreak(api, project, user.id))
}

const killApi = async (harness: Harness) => {
  const { environment } = await harness.database()
  const first = await harness.server(environment)
  const project = await aProject(first.api)
  const user = await aUser(first.api, project)
  const began = performance.now()
  await first.end("SIGKILL")
  const second = await harness.server(environment)
  await waitUntil("an event", patienceMillis, takesEvents(second.api, user))
  return performance.now() - began
}

const killPostgres = async (harness: Harness) => {
  const DATA_DIR = harness.folder()
  const { api } = await harness.server({ DATA_DIR })
  const project = await aProject(api)
  const user = await aUser(api, project)
  const pid = postmasterOf(DATA_DIR)
  if (pid === null) throw new Error("There is no database to kill.")
  const began = performance.now()
  process.kill(pid, "SIGKILL")
  // The first calls may still be answered by a server process that does not know yet.
  await new Promise((resolve) => setTimeout(resolve, 50))
  await waitUntil("an event", patienceMillis, takesEvents(api, user))
  return performance.now() - began
}

const sendToRedis = (url: string, command: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(`${command}\r\n`))
    socket.once("error", reject)
    socket.once("data", () => {
      socket.destroy()
      resolve()
    })
  })

/** A service with a worker on a Redis. */
const startWithRedis = async (harness: Harness) => {
  const { environment, sql } = await harness.database()
  const redis = await harness.redis()
  const settings = { ...environment, REDIS_URL: redis.url }
  const { api } = await harness.server(settings)
  const worker = await harness.worker(settings)
  const project = await aProject(api)
  await aStreak(api, project, { qualifying_event: "lesson" })
  const settle = await postAndWait(api, project)
  await settle()
  return { api, project, worker, startAnother: () => harness.worker(settings), redis, sql }
}

const killWorker = async (harness: Harness) => {
  const { api, project, worker, startAnother, sql } = await startWithRedis(harness)
  // The worker is killed in the middle of a batch: it waits for this lock. Another is there by then.
  const lock = await sql.session(project.id)
  await lock.run("begin; lock table user_streaks in exclusive mode")
  const settle = await postAndWait(api, project)
  const waiting =
    "select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())"
  await waitUntil("a batch", 20_000, async () => (await sql.rows(project.id, waiting)).length > 0)
  await startAnother()
  const began = performance.now()
  await worker.end("SIGKILL")
  await lock.run("rollback")
  await lock.end()
  await settle()
  const other = await postAndWait(api, project)
  await other()
  return performance.now() - began
}

const flushRedis = async (harness: Harness) => {
  const { api, project, redis, worker } = await startWithRedis(harness)
  const signal = (name: NodeJS.Signals) => process.kill(worker.pid, name)
  // While the worker sleeps, the event and the run that was asked for wait; then the queue forgets the run.
  signal("SIGSTOP")
  const settle = await postAndWait(api, project)
  // The queue is told after the answer.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await sendToRedis(redis.url, "FLUSHALL")
  const began = performance.now()
  signal("SIGCONT")
  await settle()
  return performance.now() - began
}

/** From a kill until the service does again what was asked of it; the longest of the rounds. */
export const recovery = async (rounds: number): Promise<ReadonlyArray<Figure>> => {
  const longest = async (measure: (harness: Harness) => Promise<number>) => {
    let most = 0
    for (let round = 0; round < rounds; round += 1) most = Math.max(most, await withHarness(measure))
    return most / 1_000
  }
  return [
    atMost("API killed and started again, until an event is acknowledged", "s", await longest(killApi), 2, 1),
    atMost("Embedded PostgreSQL killed, until an event is acknowledged", "s", await longest(killPostgres), 5, 1),
    atMost("One of two workers killed in a batch, until its events are counted", "s", await longest(killWorker), 40, 1),
    atMost("Redis flushed, until events that waited are counted", "s", await longest(flushRedis), 60, 1),
  ]
}
