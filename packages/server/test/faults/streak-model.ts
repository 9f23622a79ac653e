/** The rules of a definition, as far as the fault tests use them. There is no grace period. */
export interface ModelRules {
  readonly period: "daily" | "weekly"
  /** How many freezes can be held; 0 is none. */
  readonly max_freezes: number
  /** Every so many counted periods earn a freeze; null where one begins with all of them. */
  readonly freezes_per_n_events: number | null
}

/** The expected values of a streak. */
export interface ModelStreak {
  readonly current_count: number
  readonly longest_count: number
  readonly freezes_remaining: number
  readonly status: "active" | "frozen" | "broken"
  /** Periods with an event, and missed ones that took a freeze. */
  readonly done: number
  readonly frozen: number
}

const dayMillis = 86_400_000

const periodAt = (rules: ModelRules, millis: number, offsetHours: number): number => {
  const day = Math.floor((millis + offsetHours * 3_600_000) / dayMillis)
  // Day 0 was a Thursday, and weeks begin on Monday.
  return rules.period === "daily" ? day : Math.floor((day + 3) / 7)
}

/**
 * A streak computed from all of its events in the simplest way: it walks over every period from the first to the
 * present one. It shares no code with the service, only the rules [E2].
 */
export const modelStreak = (
  rules: ModelRules,
  instants: ReadonlyArray<Date>,
  offsetHours: number,
  now = new Date(),
): ModelStreak => {
  const done = new Set(instants.map((instant) => periodAt(rules, instant.getTime(), offsetHours)))
  const present = periodAt(rules, now.getTime(), offsetHours)
  const earns = rules.freezes_per_n_events
  let freezes = earns === null ? rules.max_freezes : 0
  let [count, longest, frozen] = [0, 0, 0]
  let status: ModelStreak["status"] = "broken"
  for (let period = Math.min(...done); period <= present; period += 1) {
    if (done.has(period)) {
      count += 1
      longest = Math.max(longest, count)
      if (earns !== null && count % earns === 0) freezes = Math.min(rules.max_freezes, freezes + 1)
      status = "active"
    } else if (period < present && count > 0 && freezes > 0) {
      freezes -= 1
      frozen += 1
      status = "frozen"
    } else if (period < present) {
      count = 0
      status = "broken"
    }
  }
  return {
    current_count: count,
    longest_count: longest,
    freezes_remaining: freezes,
    status,
    done: done.size,
    frozen,
  }
}
