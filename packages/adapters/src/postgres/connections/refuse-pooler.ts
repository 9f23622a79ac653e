import { randomUUID } from "node:crypto"
import { type Connection, type ConnectionSettings, connect } from "./connection.ts"
import { ConnectionLost } from "./connection-lost.ts"

/** PostgreSQL is behind a pooler that gives a connection another session for each transaction. `message` is for the operator. */
export class PooledTransactions extends Error {
  override readonly name = "PooledTransactions"
  constructor(cause?: unknown) {
    super(
      "DATABASE_URL leads through a pooler in transaction or statement mode, which Hearth cannot work with (it listens for notifications and holds locks in its sessions): let it name PostgreSQL itself, or set the pooler to session mode.",
      { cause },
    )
  }
}

// A pooler with fewer than four sessions gives two connections the same one in the first round; one with more gives them
// others in the rounds that follow in another order.
const connectionsAtOnce = 4

interface Session {
  readonly connection: Connection
  /** What its session was told to keep. */
  readonly mark: string
}

const read = async ({ connection }: Session) => {
  const { rows } = await connection.run({
    text: "select pg_backend_pid() as pid, current_setting('hearth.session', true) as mark",
    values: [],
  })
  return rows[0] as { readonly pid: number; readonly mark: string | null }
}

const run = ({ connection }: Session, text: string) => connection.run({ text, values: [] })

/** Sets each session's mark outside of a transaction. False where two connections share a session. */
const markSessions = async (sessions: ReadonlyArray<Session>) => {
  const pids = new Set<number>()
  for (const { connection, mark } of sessions) {
    const { rows } = await connection.run({
      text: "select pg_backend_pid() as pid, set_config('hearth.session', $1, false)",
      values: [mark],
    })
    pids.add((rows[0] as { readonly pid: number }).pid)
  }
  return pids.size === sessions.length
}

const keepMarks = async (sessions: ReadonlyArray<Session>) => {
  for (const session of sessions) if ((await read(session)).mark !== session.mark) return false
  return true
}

/** Whether every connection has a session of its own, also while the others are in transactions. */
const haveOwnSessions = async (sessions: ReadonlyArray<Session>): Promise<boolean> => {
  if (!(await markSessions(sessions)) || !(await keepMarks(sessions.toReversed()))) return false
  const [first, ...others] = sessions
  if (first === undefined) return true
  // The others' transactions take sessions out of a pool, perhaps the first one's.
  for (const session of others) await run(session, "begin")
  const areOwn = (await keepMarks([first])) && (await keepMarks(others))
  for (const session of others) await run(session, "rollback")
  return areOwn && (await keepMarks([...others, first]))
}

/** Rejects when `work` takes longer than the server may take to answer to a new connection. */
const withTimeout = async <A>(
  work: Promise<A>,
  { connectMillis }: ConnectionSettings,
  database: string,
): Promise<A> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new ConnectionLost(database, "it answers too slowly")), connectMillis)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

// Poolers refuse parameters of a session that they cannot keep: PgBouncer with this message, unless it is told to ignore them.
const isRefusedParameter = (error: unknown) =>
  error instanceof Error && /unsupported startup parameter/.test(error.message)

/**
 * Rejects with `PooledTransactions` where connections do not keep their sessions: notifications would not be heard, and an
 * advisory lock would be held by whoever comes next. A pooler in session mode passes. A single connection tells nothing,
 * because an idle pooler gives it the same session again and again; so several are compared, some within transactions.
 */
export const refusePooler = async (settings: ConnectionSettings, database: string): Promise<void> => {
  const opened = await Promise.allSettled(Array.from({ length: connectionsAtOnce }, () => connect(settings, database)))
  const connections = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
  try {
    const failed = opened.find((one) => one.status === "rejected")
    if (failed !== undefined)
      throw isRefusedParameter(failed.reason) ? new PooledTransactions(failed.reason) : failed.reason
    const sessions = connections.map((connection) => ({ connection, mark: randomUUID() }))
    if (!(await withTimeout(haveOwnSessions(sessions), settings, database))) throw new PooledTransactions()
  } finally {
    await Promise.all(connections.map((connection) => connection.close()))
  }
}
