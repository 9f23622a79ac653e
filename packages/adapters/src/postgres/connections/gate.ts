import type { Locks } from "@hearth/core"
import { DatabaseBusy } from "./database-busy.ts"
import { makeWaitQueue, type WaitQueue } from "./wait-queue.ts"

/** What a gate is in front of. */
export interface GateParts {
  /** Connections to all databases together. */
  readonly max: number
  readonly maxPerDatabase: number
  /** How long a caller waits for a turn. */
  readonly waitMillis: number
}

/** A turn is what a caller needs before it takes a connection. */
export interface Gate {
  /** Answers how to give the turn back. Rejects with `DatabaseBusy` when too many wait already, or when it takes too long. */
  enter(database: string, locks: Locks): Promise<() => void>
  /** How many wait for their turn. */
  waiting(): number
}

/** The callers of one database who may wait for the same kind of locks. */
interface Line {
  readonly key: string
  readonly locks: Locks
  readonly queue: WaitQueue<void>
  active: number
}

// Beyond this many, whoever waits for a turn has no hope of it in time.
const mostWaiting: Readonly<Record<Locks, number>> = { hold: 500, rows: 500, none: 1_000 }

/**
 * A gate with a line per database and kind of locks, each served in the order in which callers came. Callers who may wait for
 * locks get at most three quarters of all connections, so that the rest stays for those who do not. Of a database's connections
 * one is for the hold, and half at most for rows: beyond the first of these only while half of the three quarters is left. Those
 * who do not wait for locks get another one only while more are left than their database has. So however many connections a few
 * busy databases could use, some stay for the next one. When a turn is given back, the line with the fewest gets it.
 */
export const makeGate = ({ max, maxPerDatabase, waitMillis }: GateParts): Gate => {
  const lines = new Map<string, Line>()
  /** The lines in which somebody waits. */
  const waiting = new Set<Line>()
  const isShared = max > maxPerDatabase
  const mostLocking = Math.max(1, max - Math.ceil(max / 4))
  const mostOfRows = Math.max(1, Math.floor(maxPerDatabase / 2))
  let active = 0
  let locking = 0

  const mayEnter = (line: Line): boolean => {
    if (line.locks === "none") return !isShared || line.active === 0 || line.active < max - active
    const left = mostLocking - locking
    if (line.active === 0) return left > 0
    return line.locks === "rows" && line.active < mostOfRows && left > (isShared ? mostLocking / 2 : 0)
  }

  const count = (line: Line, change: 1 | -1) => {
    line.active += change
    active += change
    if (line.locks !== "none") locking += change
  }

  const serveOne = (): boolean => {
    const [first, ...others] = [...waiting].filter(mayEnter)
    if (first === undefined) return false
    const line = others.reduce((least, other) => (other.active < least.active ? other : least), first)
    count(line, 1)
    line.queue.serve()
    settle(line)
    return true
  }

  /** Forgets a line as far as nobody is in it. */
  const settle = (line: Line) => {
    if (line.queue.length() > 0) return
    waiting.delete(line)
    if (line.active === 0) lines.delete(line.key)
  }

  const leave = (line: Line) => {
    count(line, -1)
    // To the end: of lines with equally many turns the one that had none for longest gets the next.
    if (waiting.delete(line)) waiting.add(line)
    settle(line)
    while (waiting.size > 0 && serveOne()) {}
  }

  const wait = async (line: Line, database: string) => {
    const most = mostWaiting[line.locks]
    if (line.queue.length() >= most) throw new DatabaseBusy(database, "line", `${most} others wait for their turn`)
    waiting.add(line)
    await line.queue.wait(waitMillis, () => {
      settle(line)
      return new DatabaseBusy(database, "line", `this call did not get its turn within ${waitMillis} ms`)
    })
  }

  return {
    enter: async (database, locks) => {
      const key = `${locks} ${database}`
      const known = lines.get(key)
      const line: Line = known ?? { key, locks, queue: makeWaitQueue(), active: 0 }
      if (known === undefined) lines.set(key, line)
      if (line.queue.length() === 0 && mayEnter(line)) count(line, 1)
      else await wait(line, database)
      return () => leave(line)
    },
    waiting: () => [...waiting].reduce((sum, { queue }) => sum + queue.length(), 0),
  }
}
