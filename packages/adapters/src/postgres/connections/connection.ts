import type { Locks } from "@hearth/core"
import pg from "pg"
import type { Answer } from "./answer.ts"
import { makeAnswerTimer } from "./answer-timer.ts"
import { bindValues } from "./bind-values.ts"
import { ConnectionLost, isConnectionLoss, reasonOf } from "./connection-lost.ts"
import { isPlanChange, readBusy } from "./database-busy.ts"
import { namedQueries } from "./named-query.ts"
import { nameStatements } from "./prepare-often-run.ts"
import { closeWhereUnreadable } from "./unreadable-answer.ts"

/** A statement with its values, which are bound, never interpolated. One with a name is prepared once per connection. */
export interface Statement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
  readonly name?: string
  /** Whether it is one of a transaction: prepared without a name too when it turns out to be run often, and sent together with others. */
  readonly inTransaction?: boolean
  /** What it may wait for where it is in no transaction: nothing that anybody keeps for long where left out. */
  readonly locks?: Locks
  /** How long it may take where that is longer than others may. The caller has set its `statement_timeout`. */
  readonly millis?: number
  /** Whether it only reads and locks, so that it does no harm outside of the transaction that it was meant for. */
  readonly changesNothing?: boolean
}

/** A value that can be bound without fail. An object is none: to write it as JSON may throw. */
export type PlainValue = string | number | bigint | boolean | Date | null | ReadonlyArray<PlainValue>

/** One physical connection to one database. Statements are sent at once, and run one after the other in the order of the calls. */
export interface Connection {
  readonly database: string
  /** Rejects with `ConnectionLost`, `DatabaseBusy` or the server's error. Of several statements the last one's answer counts. */
  run(statement: Statement): Promise<Answer>
  /** Whether it is alive, in no transaction, and has no statement that was prepared before a migration changed its answer. */
  isFresh(): boolean
  /** Never rejects. */
  close(): Promise<void>
}

/** How connections are made. Times are in milliseconds, 0 is without limit. */
export interface ConnectionSettings {
  readonly url: URL
  readonly connectMillis: number
  readonly statementMillis: number
  readonly idleInTransactionMillis: number
  /** The name that the server shows for it; `hearth` where left out. */
  readonly applicationName?: string
  /** How long a statement waits for a lock; without limit where left out. */
  readonly lockMillis?: number
  /** The server ends a statement that takes too long. On a dead network that is not heard: so much later it is given up. */
  readonly answerMillis?: number
}

const dateOid = 1082
const timestamptzOid = 1184
const numericOid = 1700
const uuidArrayOid: number = 2951

const readArray = pg.types.getTypeParser(uuidArrayOid, "text")

// The driver reads a list letter by letter, which took a tenth of the time of events that are written and handled. In a plain list of
// uuids nothing is quoted.
const readUuids = (text: string): unknown =>
  /^\{[0-9a-f]/.test(text) && !text.includes("N") ? text.slice(1, -1).split(",") : readArray(text)

// The session's time zone is UTC, so an instant always ends in "+00". A date stays text. Decimals are those of money: the number
// nearest to one is what JSON means by it [G4.2].
const parsers = new Map<number, (value: string) => unknown>([
  [numericOid, Number],
  [dateOid, (value) => value],
  [uuidArrayOid, readUuids],
  [timestamptzOid, (value) => new Date(`${value.slice(0, 10)}T${value.slice(11, -3)}Z`)],
])
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as "text"),
}

/** The address of another database on the same server. */
export const urlOf = (url: URL, database: string): string => {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  return other.href
}

// How long closing may take before the connection is abandoned. On a dead network it would take minutes.
const closeMillis = 2_000

// A network that is dead is noticed on idle connections too.
const keepAliveMillis = 10_000

/**
 * Opens a connection. `onLost` is called once, when it ends without having been closed, and `onNotification` for everything
 * that it is notified of. Rejects with `ConnectionLost` or `DatabaseBusy`.
 */
export const connect = async (
  settings: ConnectionSettings,
  database: string,
  onLost: (connection: Connection) => void = () => {},
  onNotification: (payload: string, channel: string) => void = () => {},
): Promise<Connection> => {
  const client = new pg.Client({
    connectionString: urlOf(settings.url, database),
    application_name: settings.applicationName ?? "hearth",
    connectionTimeoutMillis: settings.connectMillis,
    statement_timeout: settings.statementMillis,
    idle_in_transaction_session_timeout: settings.idleInTransactionMillis,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMillis,
    ...(settings.lockMillis === undefined ? {} : { lock_timeout: settings.lockMillis }),
    options: "-c TimeZone=UTC",
    types,
    // What need not wait for the answer of the statement before is sent with it, in one round trip.
    pipeline: true,
  })
  let state: "open" | "lost" | "closed" = "open"
  const lose = () => {
    if (state !== "open") return
    state = "lost"
    if (connection !== undefined) onLost(connection)
  }
  let connection: Connection | undefined
  client.on("error", lose)
  client.on("end", lose)
  client.on("notification", ({ payload, channel }) => onNotification(payload ?? "", channel))
  const describe = (error: unknown) =>
    state === "lost" || isConnectionLoss(error)
      ? new ConnectionLost(database, reasonOf(error), error)
      : (readBusy(database, error) ?? error)
  const findPatience = (millis = 0) => (settings.statementMillis === 0 ? 0 : Math.max(settings.statementMillis, millis))
  const giveUp = () => client.connection.stream.destroy(new Error("The server did not answer."))
  try {
    await client.connect()
  } catch (error) {
    state = "closed"
    void client.end()
    throw readBusy(database, error) ?? new ConnectionLost(database, reasonOf(error), error)
  }
  closeWhereUnreadable(client.connection.stream)
  const nameOften = nameStatements()
  const timer = makeAnswerTimer(settings.answerMillis ?? 5_000, giveUp)
  const named = namedQueries(client, types, timer)
  let isOutdated = false
  // To write to a socket costs more than most statements: what is sent together is written at once.
  const writeAtOnce = () => {
    const { stream } = client.connection
    if (stream.writableCorked > 0) return
    stream.cork()
    process.nextTick(() => {
      named.send()
      stream.uncork()
    })
  }
  connection = {
    database,
    run: async ({ millis, inTransaction, changesNothing: _, ...statement }) => {
      const values = bindValues(statement.text, statement.values)
      writeAtOnce()
      try {
        const { text, name } = inTransaction ? nameOften(statement) : statement
        if (name !== undefined) {
          const answer = named.add({ name, text, values, millis: findPatience(millis) })
          if (!inTransaction) named.send()
          return await answer
        }
        named.send()
        timer.expect([findPatience(millis)])
        const answered = client.query({ text, values }).finally(timer.answered)
        const answer: pg.QueryResult | Array<pg.QueryResult> = await answered
        const last = Array.isArray(answer) ? answer.at(-1) : answer
        return { rows: last?.rows ?? [], rowCount: last?.rowCount ?? 0 }
      } catch (error) {
        if (isPlanChange(error)) isOutdated = true
        // The driver's own leads to its socket, this one to the caller.
        if (error instanceof Error) Error.captureStackTrace(error)
        throw describe(error)
      }
    },
    isFresh: () => state === "open" && !isOutdated && client.getTransactionStatus() === "I",
    close: () => {
      state = "closed"
      const patience = Promise.withResolvers<void>()
      const timer = setTimeout(patience.resolve, closeMillis)
      return Promise.race([client.end().catch(() => {}), patience.promise]).finally(() => clearTimeout(timer))
    },
  }
  return connection
}
