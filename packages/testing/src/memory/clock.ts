import type { Clock } from "@hearth/core"
import { Duration, Option } from "effect"

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves to an instant, earlier or later. A text is read as that of `startAt`. */
  set(instant: Date | string): void
  /**
   * Moves forward: `clock.advance("3 days")`, or a number of milliseconds; back where it is negative. A clock shows whole milliseconds, so
   * fractions are rounded.
   */
  advance(by: Duration.Input): void
}

const units = ["weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"]

// Effect reads what is none as no time at all: NaN, a date, a unit that is misspelt, as in { day: 1 }.
const isNoTime = (by: Duration.Input): boolean => {
  if (typeof by !== "object" || by === null || Duration.isDuration(by) || Array.isArray(by)) return Number.isNaN(by)
  const names = Object.keys(by)
  return names.length === 0 || !names.every((name) => units.includes(name))
}

/** The whole milliseconds of a time to move a clock by. Throws a `RangeError` where there is no such time. */
export const readMillis = (by: Duration.Input): number => {
  const read = isNoTime(by) ? Option.none() : Duration.fromInput(by)
  const millis = Option.match(read, { onNone: () => Number.NaN, onSome: Duration.toMillis })
  if (Number.isFinite(millis)) return Math.round(millis)
  const text = typeof by === "object" ? JSON.stringify(by) : String(by)
  throw new RangeError(`A clock moves by a time like "3 days" or a number of milliseconds: ${text} is none.`)
}

/** A clock that shows `start` until it is moved. */
export const manualClock = (start: Date | string = "2026-01-01T00:00:00.000Z"): ManualClock => {
  let millis = millisOf(new Date(start))
  return {
    now: () => new Date(millis),
    set: (instant) => {
      millis = millisOf(new Date(instant))
    },
    advance: (by) => {
      millis = millisOf(new Date(millis + readMillis(by)))
    },
  }
}

const lastMillis = Date.UTC(10_000, 0) - 1

// Ids are made of the time since 1970, and stores keep no year of five digits.
const millisOf = (instant: Date): number => {
  const millis = instant.getTime()
  if (millis >= 0 && millis <= lastMillis) return millis
  throw new RangeError("A clock can only show an instant of the years 1970 to 9999.")
}
