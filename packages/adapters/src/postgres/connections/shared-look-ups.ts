import type { Answer } from "./answer.ts"
import type { Connection, Statement } from "./connection.ts"
import type { Connections } from "./connections.ts"
import { DatabaseBusy } from "./database-busy.ts"

interface Caller {
  readonly statement: Statement
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

// Where one of them waits for a lock, those after it do too.
const mostTogether = 8
// As many as may wait for a turn.
const mostWaiting = 1_000

/**
 * Sends short statements that only read over one connection, those of callers who come in the same moment or wait for it, up to
 * eight at once: to write to a socket costs more than the statement itself. Each is answered, or fails, for itself. They take one
 * turn and one connection together, and whoever comes while none is free goes with the next ones.
 */
export const shareLookUps = (
  connections: Connections,
  database: string,
): ((statement: Statement) => Promise<Answer>) => {
  let waiting: Array<Caller> = []

  const runAll = (connection: Connection, callers: ReadonlyArray<Caller>, leave: () => void) => {
    let left = callers.length
    const settle = () => {
      left -= 1
      if (left > 0) return
      // Before the last caller goes on, who may need a connection again.
      connections.release(connection)
      leave()
    }
    for (const { statement, resolve, reject } of callers) {
      connection.run(statement).then(
        (answer) => {
          settle()
          resolve(answer)
        },
        (error) => {
          settle()
          reject(error)
        },
      )
    }
  }

  const refuse = (error: unknown) => {
    const callers = waiting
    waiting = []
    for (const { reject } of callers) reject(error)
  }

  const send = async () => {
    let leave: (() => void) | undefined
    try {
      leave = await connections.enter(database, "none")
      const connection = await connections.acquire(database)
      const callers = waiting.splice(0, mostTogether)
      if (waiting.length > 0) void send()
      runAll(connection, callers, leave)
    } catch (error) {
      leave?.()
      refuse(error)
    }
  }

  return (statement) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= mostWaiting) {
        reject(new DatabaseBusy(database, "line", `${mostWaiting} others wait for their turn`))
        return
      }
      waiting.push({ statement, resolve, reject })
      // After the callers whose requests have arrived in the same turn of the event loop.
      if (waiting.length === 1) setImmediate(send)
    })
}
