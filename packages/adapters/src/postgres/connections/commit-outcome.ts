import { ConnectionLost } from "./connection-lost.ts"
import type { Connections } from "./connections.ts"
import { untilAnswered } from "./until-answered.ts"

/** A transaction as the server knows it: its id, and when it began by the server's clock. */
export interface Begun {
  readonly xid: string
  readonly began: string
}

interface Outcome {
  readonly status: "committed" | "aborted" | "in progress" | null
  readonly restarted: boolean
}

// A crash can lose the id of a transaction with it, and another one gets the same: after a restart "committed" says nothing.
const outcome = `
  select pg_xact_status($1::xid8) as status,
    greatest(pg_postmaster_start_time(),
      (select max(backend_start) from pg_stat_activity where backend_type = 'checkpointer')) > $2::timestamptz as restarted`

// The server has not noticed yet that its client is gone, or is still at it: whichever it is, it ends now.
const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and backend_xid = $1::xid8::xid`

const idInTheFuture = "22023"

type Asked = Pick<Connections, "acquire" | "release" | "confirmMillis" | "isRemoved">

const read = async (connections: Asked, database: string, { xid, began }: Begun): Promise<Outcome> => {
  const connection = await connections.acquire(database)
  try {
    const { rows } = await connection.run({ text: outcome, values: [xid, began] })
    const found = rows[0] as Outcome
    if (found.status === "in progress") await connection.run({ text: end, values: [xid] })
    return found
  } catch (error) {
    // The server has forgotten the transaction in a crash.
    if (error instanceof Error && "code" in error && error.code === idInTheFuture)
      return { status: "aborted", restarted: true }
    throw error
  } finally {
    connections.release(connection)
  }
}

/**
 * Asks what became of a commit whose connection was lost. Resolves when it happened. Rejects with a `ConnectionLost` that says that
 * it was rolled back, or that nobody knows: no connection answered in time, or the server crashed meanwhile. One without an outcome says
 * that the database was removed.
 */
export const askOutcome = async (connections: Asked, lost: ConnectionLost, begun: Begun): Promise<void> => {
  const { database } = lost
  const { status, restarted } = await untilAnswered(connections, lost, async () => {
    const found = await read(connections, database, begun)
    return found.status === "in progress" && !found.restarted ? null : found
  })
  if (status === "committed" && !restarted) return
  const isUnknown = status === "committed" || status === null
  throw new ConnectionLost(
    database,
    isUnknown ? "it restarted during a commit" : "a commit was rolled back",
    lost,
    isUnknown ? "unknown" : "rolled back",
  )
}
