/** The time. Everything in the core that depends on the present asks it here. */
export interface Clock {
  /** The present instant, in whole milliseconds. */
  now(): Date
}
