import type { EventsWritten } from "@hearth/core/events"
import { dropLate, type SingleEvent, type WaitingEvent } from "./single-event.ts"

/** Events that are written one by one. */
export interface ApartEvents {
  /** Whether there are events of this user. */
  readonly has: (userId: string) => boolean
  readonly add: (events: ReadonlyArray<WaitingEvent>) => void
  /** How many wait, and how large they are together. */
  readonly waiting: () => { readonly count: number; readonly bytes: number }
}

// The others of a project's connections stay for groups and for everything else.
const mostAtOnce = 4

/**
 * Writes events one by one: those of a user one after the other, those of a few users at once. So what is locked or wrong for one
 * user keeps nobody else waiting.
 */
export const apartEvents = (database: string, write: (event: SingleEvent) => Promise<EventsWritten>): ApartEvents => {
  let waiting: Array<WaitingEvent> = []
  /** Of each user, how many there are. */
  const users = new Map<string, number>()
  /** The users of whom one is being written. */
  const busy = new Set<string>()

  const count = (userId: string, change: 1 | -1) => {
    const left = (users.get(userId) ?? 0) + change
    if (left === 0) users.delete(userId)
    else users.set(userId, left)
  }

  const run = async (next: WaitingEvent) => {
    const userId = next.event.app_user_id
    busy.add(userId)
    await write(next).then(next.resolve, next.reject)
    busy.delete(userId)
    count(userId, -1)
    proceed()
  }

  const proceed = () => {
    const inTime = dropLate(database, waiting)
    for (const late of waiting) if (!inTime.includes(late)) count(late.event.app_user_id, -1)
    waiting = inTime
    while (busy.size < mostAtOnce) {
      const next = waiting.find(({ event }) => !busy.has(event.app_user_id))
      if (next === undefined) return
      waiting = waiting.filter((event) => event !== next)
      void run(next)
    }
  }

  return {
    has: (userId) => users.has(userId),
    waiting: () => ({ count: waiting.length, bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0) }),
    add: (events) => {
      for (const { event } of events) count(event.app_user_id, 1)
      waiting = [...waiting, ...events]
      proceed()
    },
  }
}
