import pg from "pg"

/**
 * The database could not be reached, or the connection to it ended. A defect inside of the adapter; `makeTenants`
 * turns it into `TenantUnavailable`.
 */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost"
  readonly database: string
  /** What became of the commit that was under way; "none" where there was none, so that nothing was committed. */
  readonly commit: "none" | "rolled back" | "unknown"
  constructor(database: string, reason: string, cause?: unknown, commit: ConnectionLost["commit"] = "none") {
    super(`The database ${database} cannot be reached: ${reason}`, { cause })
    this.database = database
    this.commit = commit
  }
}

/** The connection was lost after a statement was sent: it is not known whether the server has done it. */
export class AnswerLost extends ConnectionLost {
  constructor({ database, message, cause }: ConnectionLost) {
    super(database, message, cause)
    this.message = message
  }
}

// Server: connection exceptions, shutdowns, a dropped or missing database. Node: the network's errors, and a socket file that is gone.
const serverCodes = /^(08...|57P0[1-5]|3D000|25P03)$/
const networkCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|EADDR|ENOENT)/

/** Whether an error of the driver means that the connection is lost or could not be made. */
export const isConnectionLoss = (error: unknown): boolean => {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false
  return error instanceof pg.DatabaseError ? serverCodes.test(error.code) : networkCodes.test(error.code)
}

/** The message of `error`, without its stack. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
