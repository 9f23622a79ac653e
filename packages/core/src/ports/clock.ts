/** The time. The core reads it here only. */
export interface Clock {
  /** The current instant, in whole milliseconds. A new date each time, which the caller may change. */
  now(): Date
}
