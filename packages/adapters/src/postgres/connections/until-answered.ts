import { setTimeout as wait } from "node:timers/promises"
import { readSqlState } from "../schema/server.ts"
import { ConnectionLost } from "./connection-lost.ts"
import type { Connections } from "./connections.ts"
import { DatabaseBusy } from "./database-busy.ts"

const pauseMillis = 50
const missingDatabase = "3D000"

/** `ask`, for at most so many milliseconds; null then. It is not ended: its connection is released when it ends. */
const askFor = async <A>(millis: number, ask: () => Promise<A | null>): Promise<A | null> => {
  const timeout = Promise.withResolvers<null>()
  const timer = setTimeout(timeout.resolve, millis, null)
  return await Promise.race([ask(), timeout.promise]).finally(() => clearTimeout(timer))
}

/**
 * Repeats `ask` as long as no connection answers or it answers null, for up to `confirmMillis`. Then it rejects with what `lost` is about,
 * whose outcome is unknown. It is not where the database was removed: whatever was written is gone with it.
 */
export const untilAnswered = async <A>(
  { confirmMillis: millis, isRemoved }: Pick<Connections, "confirmMillis" | "isRemoved">,
  lost: ConnectionLost,
  ask: () => Promise<A | null>,
): Promise<A> => {
  const end = performance.now() + millis
  for (let left = millis; left > 0; left = end - performance.now()) {
    try {
      const answer = await askFor(left, ask)
      if (answer !== null) return answer
    } catch (error) {
      if (!(error instanceof ConnectionLost || error instanceof DatabaseBusy)) throw error
      if (readSqlState(error) === missingDatabase && (await isRemoved(lost.database)))
        throw new ConnectionLost(lost.database, "it was removed during a write", lost)
    }
    await wait(pauseMillis)
  }
  throw new ConnectionLost(lost.database, "it did not say whether a write was committed", lost, "unknown")
}
