import pg from "pg"
import { codeOf, EmbeddedDatabaseFailure, TransientFailure } from "./failure.ts"
import type { Postmaster } from "./postmaster.ts"
import { makeAddress } from "./socket-folder.ts"

/** How a running server was started. */
export interface ServedAs {
  readonly maxConnections: number
  readonly durable: boolean
}

const question = `select pg_read_file('postmaster.pid') as "pidFile",
  current_setting('max_connections')::int as "maxConnections", current_setting('fsync')::bool as "durable"`

/**
 * Proves that the server behind the port is the one of the pid file: it knows our password (SCRAM proves it to either
 * side) and reads the same pid file in its own folder. Fails when it is not; with a `TransientFailure` when it does not answer.
 */
export const verify = async (postmaster: Postmaster, password: string): Promise<ServedAs> => {
  const { pid, port } = postmaster
  const client = new pg.Client({
    connectionString: makeAddress(postmaster, password),
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  })
  // Without a listener, a connection that breaks later would end the process.
  client.on("error", () => undefined)
  try {
    await client.connect()
    const [row] = (await client.query(question)).rows
    if (!row.pidFile.startsWith(postmaster.signature)) throw new Error("it serves another folder")
    return { maxConnections: row.maxConnections, durable: row.durable }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const sentence = `The PostgreSQL on port ${port} (pid ${pid}) does not let us in: ${why}.`
    throw codeOf(cause) === "28P01"
      ? new EmbeddedDatabaseFailure(sentence, { cause })
      : new TransientFailure(sentence, { cause })
  } finally {
    await client.end().catch(() => undefined)
  }
}
