import pg from "pg"

/**
 * The database could not be reached, or the connection to it ended. A defect inside of the adapter; `makeTenants`
 * turns it into `TenantUnavailable`. It is not known whether a commit that was under way has happened.
 */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost"
  readonly database: string
  constructor(database: string, reason: string, cause?: unknown) {
    super(`The database ${database} cannot be reached: ${reason}`, { cause })
    this.database = database
  }
}

// Server: connection exceptions, shutdowns, a dropped or missing database. Node: the network's errors.
const serverCodes = /^(08...|57P0[1-5]|3D000|25P03)$/
const networkCodes = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|EADDR)/

/** Whether an error of the driver means that the connection is lost or could not be made. */
export const isConnectionLoss = (error: unknown): boolean => {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false
  return error instanceof pg.DatabaseError ? serverCodes.test(error.code) : networkCodes.test(error.code)
}

/** The message of `error`, without its stack. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
