import { Effect } from "effect"
import type { RateDecision, RateLimit, RateLimiter } from "../ports/rate-limiter.ts"
import type { Claim, CounterState, CounterStore } from "./counters.ts"

// Timers, and so counts in a process, last for at most 2^31 milliseconds.
const maxSeconds = 2_147_483

/** Whether a limit can be counted: whole points and seconds, and not over 24 days. */
export const isUsableLimit = ({ points, seconds }: RateLimit): boolean =>
  Number.isSafeInteger(points) &&
  points >= 1 &&
  points <= 2_147_483_647 &&
  Number.isSafeInteger(seconds) &&
  seconds >= 1 &&
  seconds <= maxSeconds

const check = (claims: ReadonlyArray<Claim>): void => {
  if (claims.length > 0 && claims.every(({ limit }) => isUsableLimit(limit))) return
  throw new RangeError("A rate limit needs windows of whole points and seconds, none over 24 days.")
}

const toSeconds = (millis: number) => Math.max(1, Math.ceil(millis / 1_000))

const refuses = ({ limit, points }: Claim, state: CounterState | undefined) =>
  state !== undefined && state.points + points > limit.points

/** The limit that decides: of those that refuse the one that does so for longest, else the one with the fewest points left. */
const decide = (claims: ReadonlyArray<Claim>, taken: boolean, states: ReadonlyArray<CounterState>): RateDecision => {
  const decisions = claims.flatMap((claim, index): ReadonlyArray<RateDecision> => {
    const state = states[index]
    if (state === undefined || (!taken && !refuses(claim, state))) return []
    const remaining = Math.max(0, claim.limit.points - state.points)
    const reset_seconds = toSeconds(state.left_millis)
    return [{ allowed: taken, limit: claim.limit.points, remaining, reset_seconds }]
  })
  return decisions.reduce((one, other) => {
    const isTighter = taken ? other.remaining < one.remaining : other.reset_seconds > one.reset_seconds
    return isTighter ? other : one
  })
}

/** A rate limiter that counts in `store`. */
export const makeRateLimiter = (store: CounterStore): RateLimiter => {
  const takeCall = Effect.fnUntraced(function* (given: ReadonlyArray<Claim>) {
    const claims = given.toSorted((one, other) => one.limit.seconds - other.limit.seconds)
    check(claims)
    const { taken, states } = yield* store.take(claims, false)
    return decide(claims, taken, states)
  })
  return {
    consume: (key, limits, points = 1) => takeCall(limits.map((limit) => ({ key, limit, points }))),
    consumeEach: (claims) => takeCall(claims.map((claim) => ({ ...claim, points: 1 }))),
    reserve: Effect.fnUntraced(function* (given) {
      const claims = given.map((claim) => ({ ...claim, points: 1 }))
      check(claims)
      const { taken, states, settle } = yield* store.take(claims, true)
      if (taken) return { allowed: true, settle }
      const refusing = states.filter((state, index) => refuses(claims[index] as Claim, state))
      return {
        allowed: false,
        // One that is used up by what has ended stays so, whatever the attempts under way lead to.
        may_be_freed: refusing.every(({ held }) => held > 0),
        reset_seconds: toSeconds(Math.max(...refusing.map(({ left_millis }) => left_millis))),
      }
    }),
  }
}
