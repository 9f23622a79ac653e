import type { EventsWritten } from "@hearth/core/events"
import { ConnectionLost } from "../connections/connection-lost.ts"
import { DatabaseBusy } from "../connections/database-busy.ts"
import { apartEvents } from "./apart-events.ts"
import { dropLate, type SingleEvent, type WaitingEvent } from "./single-event.ts"

/**
 * What became of a group: an answer for each event, in their order, or why there is none. Where the answer of the database was lost,
 * the events may be in the log all the same.
 */
export type GroupWritten =
  | { readonly answers: ReadonlyArray<EventsWritten> }
  | { readonly error: unknown; readonly mayExist: boolean }

/** How the single events of a database are written. */
export interface EventWriting {
  readonly database: string
  /** Writes events of one plane by one statement, which waits only briefly for locks. Never rejects. */
  readonly together: (group: ReadonlyArray<SingleEvent>) => Promise<GroupWritten>
  /** Writes one event, which waits for locks as long as other statements do. */
  readonly alone: (single: SingleEvent) => Promise<EventsWritten>
}

const mostEvents = 100
const mostBytes = 256 * 1024
// One at a time: its events are written while the next ones are collected. Two at a time cost a quarter more CPU time. Another one goes
// where the first takes long, for example because it waits for a lock.
const slowMillis = 20
const mostStatements = 4
const mostWaiting = 1_000
const mostWaitingBytes = 64 * 1024 * 1024

/** Whether a part of a group may be what the database has refused; otherwise the others would fare no better alone. */
const mayBeForOne = (error: unknown, group: ReadonlyArray<SingleEvent>): boolean => {
  if (error instanceof DatabaseBusy) return error.reason === "lock" || error.reason === "deadlock"
  return group.length > 1 && !(error instanceof ConnectionLost)
}

/** The first event with those of its plane that fit into one statement, and the others. */
const split = (waiting: ReadonlyArray<WaitingEvent>) => {
  const [group, left]: [Array<WaitingEvent>, Array<WaitingEvent>] = [[], []]
  let room = mostBytes
  for (const single of waiting) {
    const fits = group.length < mostEvents && single.bytes <= room && single.plane === waiting[0]?.plane
    if (fits || group.length === 0) {
      group.push(single)
      room -= single.bytes
    } else left.push(single)
  }
  return { group, left }
}

/**
 * Writes the single events of several callers by one statement and one commit. The first goes at once; those that come while
 * statements are under way go together when one of them is answered. Each caller is answered what became of its event, after the
 * commit. Where the database refuses a group, each of its events is written alone, once, and until that is done what comes for
 * their users too. Rejects with `DatabaseBusy` where too many wait, or one waits too long.
 */
export const groupEvents = ({ database, together, alone }: EventWriting) => {
  let waiting: Array<WaitingEvent> = []
  let waitingBytes = 0
  let statements = 0
  let lastBegun = 0
  let hasTimer = false
  const apart = apartEvents(database, alone)

  const mayWrite = () =>
    statements === 0 || (statements < mostStatements && performance.now() - lastBegun >= slowMillis)

  const writeGroup = async (group: ReadonlyArray<WaitingEvent>) => {
    statements += 1
    lastBegun = performance.now()
    const written = await together(group)
    statements -= 1
    if ("answers" in written) {
      for (const [at, single] of group.entries()) single.resolve(written.answers[at] as EventsWritten)
    } else if (mayBeForOne(written.error, group)) {
      apart.add(group.map((single) => ({ ...single, mayExist: written.mayExist })))
    } else for (const single of group) single.reject(written.error)
    proceed()
  }

  const keep = (left: Array<WaitingEvent>) => {
    waiting = left
    waitingBytes = left.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  const proceed = () => {
    while (waiting.length > 0 && mayWrite()) {
      const { group, left } = split(dropLate(database, waiting))
      keep(left)
      if (group.length > 0) void writeGroup(group)
    }
    if (waiting.length > 0 && !hasTimer) watch()
  }

  // For statements that take long, or that nobody answers.
  const watch = () => {
    hasTimer = true
    setTimeout(() => {
      hasTimer = false
      keep(dropLate(database, waiting))
      proceed()
    }, slowMillis).unref()
  }

  const enter = (single: WaitingEvent) => {
    const others = apart.waiting()
    const isFull =
      waiting.length + others.count >= mostWaiting || waitingBytes + others.bytes + single.bytes > mostWaitingBytes
    if (isFull) throw new DatabaseBusy(database, "line", "too many events wait to be written")
    if (apart.has(single.event.app_user_id)) return apart.add([single])
    waiting.push(single)
    waitingBytes += single.bytes
    proceed()
  }

  /** Writes one event. */
  return (single: SingleEvent): Promise<EventsWritten> =>
    new Promise((resolve, reject) => enter({ ...single, since: performance.now(), resolve, reject }))
}
