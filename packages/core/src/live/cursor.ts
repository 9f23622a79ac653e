import { clockToleranceMillis } from "../time/future.ts"
import { isSnapshot, type Snapshot } from "./snapshot.ts"

/** How long what was missed can be read on from a cursor. */
const keptMillis = 5 * 60_000

/** How far a stream has been read. */
export interface LiveCursor {
  readonly snapshot: Snapshot
  /** When that was. */
  readonly at: Date
  /** No row that is newer than the snapshot has an id of before this instant. */
  readonly from: Date
}

/** A cursor as the id of an event. */
export const formatCursor = ({ snapshot, at, from }: LiveCursor): string =>
  `${at.getTime().toString(36)}.${from.getTime().toString(36)}.${snapshot}`

// As many transactions as may be under way at once, and more than a header should have.
const longest = 4_000
const pattern = /^([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([\d:,]+)$/

/** The cursor of a text; null where it is none, is of the future, or is older than what can be read on. */
export const parseCursor = (text: string, now: Date): LiveCursor | null => {
  if (text.length > longest) return null
  const [, atText = "", fromText = "", snapshot = ""] = pattern.exec(text) ?? []
  if (!isSnapshot(snapshot)) return null
  const at = Number.parseInt(atText, 36)
  const from = Number.parseInt(fromText, 36)
  const age = now.getTime() - at
  // A clock of another server may be ahead by a little.
  const isRecent = age > -keptMillis && age <= keptMillis
  return isRecent && from <= at ? { snapshot, at: new Date(at), from: earliest(from, now) } : null
}

// Ids are made before their transaction begins, which may wait for its turn, and by clocks that differ from that of the reader: each by up
// to 30 s from that of the database, or its process warns.
const waitMillis = 10_000
const marginMillis = clockToleranceMillis + waitMillis

// Further back is never looked: a transaction that takes longer than a minute is none of ours.
const lookBackMillis = keptMillis + 60_000 + marginMillis

const earliest = (millis: number, now: Date) => new Date(Math.max(millis, now.getTime() - lookBackMillis, 0))

/** The cursor of a snapshot that was taken now, while the oldest transaction had run for `runningMillis`. */
export const makeCursor = (snapshot: Snapshot, runningMillis: number, now: Date): LiveCursor => ({
  snapshot,
  at: now,
  from: earliest(now.getTime() - Math.max(0, runningMillis) - marginMillis, now),
})

/** The least id (a uuid of version 7) that is made at an instant. */
export const leastId = (at: Date): string => {
  const hex = at.getTime().toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
