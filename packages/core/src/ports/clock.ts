/** The time. The core reads it here only. */
export interface Clock {
  /** The current instant, in whole milliseconds. */
  now(): Date
}
