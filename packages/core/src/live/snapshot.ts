/**
 * What was committed at an instant, as `pg_current_snapshot()` writes it: `xmin:xmax:xip,…`. Every transaction before `xmin` has
 * ended, none from `xmax` on had begun, and those in the list were under way.
 */
export type Snapshot = string

interface Parts {
  readonly xmin: bigint
  readonly xmax: bigint
  readonly running: ReadonlySet<bigint>
}

const pattern = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19})(?:,\d{1,19})*)?$/
const greatest = 2n ** 63n - 1n

/** The parts of a snapshot; null for a text that is none. */
const parse = (text: string): Parts | null => {
  const [, xmin, xmax, list] = pattern.exec(text) ?? []
  if (xmin === undefined || xmax === undefined) return null
  const parts = { xmin: BigInt(xmin), xmax: BigInt(xmax) }
  const running = list === undefined ? [] : list.split(",").map(BigInt)
  const isInOrder = running.every((xid, at) => xid >= parts.xmin && xid < parts.xmax && xid > (running[at - 1] ?? 0n))
  const isInRange = parts.xmin > 0n && parts.xmin <= parts.xmax && parts.xmax <= greatest
  return isInOrder && isInRange ? { ...parts, running: new Set(running) } : null
}

/** Whether a text is a snapshot that a database reads. */
export const isSnapshot = (text: string): boolean => parse(text) !== null

const read = (snapshot: Snapshot): Parts => {
  const parts = parse(snapshot)
  if (parts === null) throw new TypeError("A snapshot cannot be read.")
  return parts
}

/** Tells of transactions whether a snapshot has what they committed. */
export const makeVisible = (snapshot: Snapshot): ((xid: string) => boolean) => {
  const { xmin, xmax, running } = read(snapshot)
  return (xid) => {
    const id = BigInt(xid)
    return id < xmin || (id < xmax && !running.has(id))
  }
}

/** The one that was taken first. Both are of the same database. */
export const earlier = (one: Snapshot, other: Snapshot): Snapshot => {
  const [a, b] = [read(one), read(other)]
  if (a.xmax !== b.xmax) return a.xmax < b.xmax ? one : other
  if (a.xmin !== b.xmin) return a.xmin < b.xmin ? one : other
  return a.running.size >= b.running.size ? one : other
}

/** Whether `snapshot` was taken after `other`, so that it cannot be one of the past of this database. */
export const isAhead = (snapshot: Snapshot, other: Snapshot): boolean => read(snapshot).xmax > read(other).xmax
