import { createPostgresBackend, withBackend } from "bullmq"
import { FORGET_FUTURE } from "./forget-future.ts"
import { commonOptions, type RunData } from "./job.ts"
import type { Link } from "./link.ts"
import { type QueueLog, reasonOf } from "./log.ts"
import { makeTables, openPool, queuePool, SEARCH_PATH } from "./postgres-pool.ts"
import { waitAtMost } from "./wait-at-most.ts"

const { Queue, Worker } = withBackend(createPostgresBackend)

const BOOT_MILLIS = 10_000

// A worker may wait long, but a connection without an answer for this time is dead.
const WORKER_ANSWER_MILLIS = 30_000

// No call waits for a worker's first connection, which takes a second on a machine that is busy.
const WORKER_CONNECT_MILLIS = 3_000

// After a failed statement a worker retries at once, a hundred times a second. This is the pause in between.
const WORKER_REST_MILLIS = 500

const BACKLOG = `
  select count(*)::int as waiting, min(coalesce(process_at_ms, added_at_ms))::float8 as "oldestDueAt"
  from job where queue = $1 and (state = 'waiting' or (state = 'delayed' and process_at_ms <= $2))`

const FORGET_MILLIS = 60_000

/**
 * A queue in a schema of a PostgreSQL database. Resolves once its tables exist, or when making them has failed. `answerMillis` is how long a
 * call waits.
 */
export const postgresLink = async (url: string, name: string, log: QueueLog, answerMillis: number): Promise<Link> => {
  const server = {
    connectionString: url,
    application_name: "hearth queue",
    options: SEARCH_PATH,
    connectionTimeoutMillis: Math.ceil(answerMillis * 0.55),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
  const lost = (error: unknown) => log("The queue's PostgreSQL cannot be reached.", { error: reasonOf(error) })
  const reported = (error: unknown) => log("The queue reported an error.", { error: reasonOf(error) })
  const connect = (limits: { max: number; query_timeout?: number }) => {
    const opened = openPool({ ...server, ...limits })
    opened.pool.on("error", lost)
    return opened
  }
  const tables = () => makeTables(url)

  const { pool, close } = connect({ max: 4, query_timeout: Math.ceil(answerMillis * 0.85) })
  const producers = queuePool(pool, tables, 0)

  const open = async () => {
    await tables()
    const queue = new Queue<RunData>(name, { ...commonOptions, connection: producers })
    queue.on("error", reported)
    await queue.waitUntilReady()
    return queue
  }
  let opened: ReturnType<typeof open> | null = null
  const queue = () => {
    opened ??= open().catch((error) => {
      opened = null
      throw error
    })
    return opened
  }
  await waitAtMost(BOOT_MILLIS, queue().catch(lost))

  return {
    queue,
    dropFollowUp: (key) => producers.query("delete from dedup_next where queue = $1 and dedup_id = $2", [name, key]),
    backlog: async (now) => (await producers.query(BACKLOG, [name, now])).rows[0],
    ping: () => pool.query("select 1"),
    worker: async (process, limits) => {
      await makeTables(url, WORKER_CONNECT_MILLIS)
      const own = connect({ max: 5, query_timeout: WORKER_ANSWER_MILLIS })
      const connection = queuePool(own.pool, tables, WORKER_REST_MILLIS)
      const worker = new Worker<RunData, void>(name, process, {
        ...commonOptions,
        ...limits,
        connection,
        autorun: false,
        runRetryDelay: 1_000,
      })
      const forgetFuture = () => producers.query(FORGET_FUTURE, [name, limits.lockDuration]).catch(() => {})
      await forgetFuture()
      const forgetting = setInterval(forgetFuture, FORGET_MILLIS).unref()
      const released = new Promise<unknown>((resolve) =>
        worker.on("closed", () => {
          clearInterval(forgetting)
          resolve(own.close())
        }),
      )
      const closeWorker = worker.close.bind(worker)
      return Object.assign(worker, {
        abandon: () => {},
        close: async (force?: boolean) => {
          await closeWorker(force)
          await released
        },
      })
    },
    close: async () => {
      await opened?.then((queue) => queue.close()).catch(() => {})
      await close()
    },
  }
}
