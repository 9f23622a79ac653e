import { setTimeout as wait } from "node:timers/promises"
import { readSqlState } from "../schema/server.ts"

// "the database system is starting up", as after a crash or while a machine starts; and while it is shutting down.
const takesNoConnections = "57P03"
const againMillis = 250

/** Does what begins with a connection, again for up to `millis` while the server says that it is there and takes none yet. */
export const whileStarting = async <A>(millis: number, connect: () => Promise<A>): Promise<A> => {
  const until = performance.now() + millis
  for (;;) {
    try {
      return await connect()
    } catch (error) {
      if (readSqlState(error) !== takesNoConnections || performance.now() >= until) throw error
      await wait(againMillis)
    }
  }
}
