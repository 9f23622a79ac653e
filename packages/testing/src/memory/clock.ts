import type { Clock } from "@hearth/core"
import { Duration } from "effect"

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves to an instant, earlier or later. */
  set(instant: Date): void
  /** Moves forward: `clock.advance("3 days")`, or a number of milliseconds. */
  advance(by: Duration.Input): void
}

/** A clock that shows `start` until it is moved. */
export const manualClock = (start: Date | string = "2026-01-01T00:00:00.000Z"): ManualClock => {
  let millis = millisOf(new Date(start))
  return {
    now: () => new Date(millis),
    set: (instant) => {
      millis = millisOf(instant)
    },
    advance: (by) => {
      millis = millisOf(new Date(millis + Duration.toMillis(by)))
    },
  }
}

const millisOf = (instant: Date): number => {
  const millis = instant.getTime()
  if (Number.isNaN(millis)) throw new RangeError("A clock can only show a valid instant.")
  return millis
}
