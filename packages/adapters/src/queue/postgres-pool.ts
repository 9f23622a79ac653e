import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { type PgPool, runMigrations } from "bullmq"
import { Client, Pool, type PoolClient, type PoolConfig } from "pg"
import { waitAtMost } from "./wait-at-most.ts"

const SCHEMA = "bullmq"
const TABLES_MILLIS = 30_000
const CLOSE_MILLIS = 1_000
const CONNECT_MILLIS = 1_000

/** Connection options under which BullMQ's statements find its tables. */
export const SEARCH_PATH = `-c search_path=${SCHEMA}`

/** A pool whose `close` waits until no connection is left. pg's own `end` does not wait for the server. */
export const openPool = (config: PoolConfig) => {
  const pool = new Pool(config)
  const connections = new Set<PoolClient>()
  pool.on("connect", (connection) => {
    connections.add(connection)
    // BullMQ has no error listener on its clients. A connection that ends between two statements would end the process.
    connection.on("error", () => {})
  })
  pool.on("remove", (connection) => connections.delete(connection))
  const close = async () => {
    await pool.end()
    while (connections.size > 0) await once(pool, "remove")
  }
  return { pool, close: () => waitAtMost(CLOSE_MILLIS, close()) }
}

/** Makes the queue's schema and tables, or brings them up to date. Several processes may do it at once. */
export const makeTables = async (url: string, connectMillis = CONNECT_MILLIS): Promise<void> => {
  const limits = { connectionTimeoutMillis: connectMillis, query_timeout: TABLES_MILLIS }
  const client = new Client({ connectionString: url, ...limits })
  // A lost connection is reported twice: to the waiting statement, and here.
  client.on("error", () => {})
  try {
    await client.connect()
    await runMigrations(client, SCHEMA)
  } finally {
    await waitAtMost(CLOSE_MILLIS, client.end())
  }
}

// No such schema, table, function, type.
const GONE = new Set(["3F000", "42P01", "42883", "42704"])

/**
 * A pool that makes the tables again when they are missing, because a queue is disposable [E10], and that waits for
 * `restMillis` before it reports a failure.
 */
export const queuePool = (pool: Pool, tables: () => Promise<void>, restMillis: number): PgPool => {
  const ask = pool.query.bind(pool) as unknown as PgPool["query"]
  const query: PgPool["query"] = async (text, params) => {
    try {
      return await ask(text, params).catch(async (error) => {
        if (!GONE.has(error.code)) throw error
        await tables()
        return await ask(text, params)
      })
    } catch (error) {
      await setTimeout(restMillis)
      throw error
    }
  }
  return Object.assign(pool, { query }) as unknown as PgPool
}
