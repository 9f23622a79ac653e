import pg from "pg"
import { askOutcome, type Begun } from "../connections/commit-outcome.ts"
import { type ConnectionSettings, connect } from "../connections/connection.ts"
import { ConnectionLost, isConnectionLoss, reasonOf } from "../connections/connection-lost.ts"
import { openClient } from "./dump.ts"

// A server that was restarted is back by then, as a rule.
const confirmMillis = 20_000

/**
 * Commits the transaction of `client`. Where the connection is lost before the answer, it asks on others what became of it: rejects
 * where it was rolled back, and with a failure that `isOutcomeUnknown` where nobody says so.
 */
export const commitSurely = async (client: pg.Client, settings: ConnectionSettings): Promise<void> => {
  const { rows } = await client.query<Begun>("select pg_current_xact_id()::text as xid, now()::text as began")
  try {
    await client.query("commit")
  } catch (error) {
    const [begun] = rows
    if (begun === undefined || (error instanceof pg.DatabaseError && !isConnectionLoss(error))) throw error
    const connections = {
      confirmMillis,
      isRemoved: async () => false,
      acquire: (database: string) => connect(settings, database),
      release: (connection: { close(): Promise<void> }) => void connection.close(),
    }
    await askOutcome(connections, new ConnectionLost(client.database ?? "", reasonOf(error), error), begun)
  }
}

/** Whether a transaction may have been committed that failed. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof ConnectionLost && error.commit === "unknown"

/** The connection, or another one to its database where it is lost. */
export const orAnother = (client: pg.Client, url: URL): Promise<pg.Client> =>
  client.query("select 1").then(
    () => client,
    () => openClient(url, client.database ?? "postgres"),
  )
