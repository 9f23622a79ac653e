import type { EventsWritten, NewEvent, WritingPlane } from "@hearth/core/events"
import { DatabaseBusy } from "../connections/database-busy.ts"

/** An event that a caller writes alone, with the text of its properties. */
export interface SingleEvent {
  readonly event: NewEvent
  readonly plane: WritingPlane
  readonly json: string
  readonly bytes: number
  /** Whether it may have been written, by a statement whose answer was lost. */
  readonly mayExist: boolean
}

/** A single event whose caller waits for the answer. */
export interface WaitingEvent extends SingleEvent {
  readonly since: number
  readonly resolve: (written: EventsWritten) => void
  readonly reject: (error: unknown) => void
}

// As long as callers wait for a connection.
const waitMillis = 5_000

/** Answers those who wait for too long that the database is busy, and returns the others. */
export const dropLate = (database: string, waiting: Array<WaitingEvent>): Array<WaitingEvent> => {
  const earliest = performance.now() - waitMillis
  if (waiting.every(({ since }) => since >= earliest)) return waiting
  return waiting.filter(({ since, reject }) => {
    if (since >= earliest) return true
    reject(new DatabaseBusy(database, "line", `this event was not written within ${waitMillis} ms`))
    return false
  })
}
