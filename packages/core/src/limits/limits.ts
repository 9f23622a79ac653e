import { Effect, Exit } from "effect"
import { type Failure, type FailureKind, RateLimitExceeded } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { RateClaim } from "../ports/rate-limiter.ts"
import { isLoopback, limitSubject } from "./address.ts"
import type { LimitList, LimitSettings } from "./settings.ts"

/** The address that a call came from; null for a caller within the process, whom no limit per address counts. */
export type CallerAddress = string | null

// Between two looks at a limit whose points are held by attempts under way, in milliseconds: 2.3 seconds in all.
const waits = [10, 20, 40, 80, 160, 320, 640, 1_000]

// A refused credential is a guess. Everything else that can go wrong says nothing about one.
const guesses: ReadonlyArray<FailureKind> = ["unauthenticated", "forbidden"]

const isGuess = <A, E extends Pick<Failure, "kind">>(exit: Exit.Exit<A, E>): boolean => {
  const failure = Exit.findErrorOption(exit)
  return failure._tag === "Some" && guesses.includes(failure.value.kind)
}

const claim = (key: ReadonlyArray<string>, limits: LimitList): ReadonlyArray<RateClaim> =>
  limits.map((limit) => ({ key: JSON.stringify(key), limit }))

const refuse = (seconds: number) => Effect.fail(new RateLimitExceeded({ retry_after_seconds: seconds }))

/** The limits of [B14]. Every refusal is `RateLimitExceeded`. */
export const makeLimits = ({ limiter }: Pick<Ports, "limiter">, settings: LimitSettings) => {
  /** Counts a call of `points`. */
  const count = Effect.fnUntraced(function* (key: ReadonlyArray<string>, limits: LimitList, points = 1) {
    if (limits.length === 0 || points === 0) return
    const decision = yield* limiter.consume(JSON.stringify(key), limits, points)
    if (!decision.allowed) return yield* refuse(decision.reset_seconds)
  })

  /** Takes the points of an attempt. Waits while others hold them who may give them back. */
  const reserve = Effect.fnUntraced(function* (claims: ReadonlyArray<RateClaim>) {
    for (const wait of waits) {
      const reservation = yield* limiter.reserve(claims)
      if (reservation.allowed) return reservation
      if (!reservation.may_be_freed) return yield* refuse(reservation.reset_seconds)
      yield* Effect.sleep(wait)
    }
    return yield* refuse(1)
  })

  /**
   * Runs an attempt, and counts it when a credential was refused. Its points are taken before and given back after, so that
   * of guesses made at once no more are tried than of guesses one after another.
   */
  const countGuesses =
    (claims: ReadonlyArray<RateClaim>) =>
    <A, E extends Pick<Failure, "kind">>(attempt: Effect.Effect<A, E>): Effect.Effect<A, E | RateLimitExceeded> =>
      claims.length === 0
        ? attempt
        : Effect.acquireUseRelease(
            reserve(claims),
            () => attempt,
            ({ settle }, exit) => settle(isGuess(exit)),
          )

  return {
    /** Counts failed logins by email, address and both. A lock by one address leaves other addresses free. */
    login: (projectId: string, email: string, address: CallerAddress) => {
      const per = (name: string, ...key: ReadonlyArray<string>) => [`login/${name}`, projectId, ...key]
      const byEmail = claim(per("email", email), settings.login_per_email)
      if (address === null) return countGuesses(byEmail)
      const subject = limitSubject(address)
      return countGuesses([
        ...claim(per("email-and-address", email, subject), settings.login_per_email_and_address),
        ...byEmail,
        ...claim(per("address", subject), settings.login_per_address),
      ])
    },

    /** Counts refused tokens of a route by address. */
    token: (route: "magic-link" | "refresh" | "link", projectId: string, address: CallerAddress) =>
      countGuesses(
        address === null ? [] : claim([`tokens/${route}`, projectId, limitSubject(address)], settings.refused_tokens),
      ),

    /** Counts a sign-up by email. */
    emailSignup: (projectId: string, address: CallerAddress) =>
      address === null ? Effect.void : count(["signup", projectId, limitSubject(address)], settings.email_signup),

    /** Counts an anonymous or social sign-in. */
    signIn: (projectId: string, address: CallerAddress) =>
      address === null || (settings.exempts_loopback && isLoopback(address))
        ? Effect.void
        : count(["sign-in", projectId, limitSubject(address)], settings.sign_in),

    /** Counts a call of a user that writes. */
    userWrite: (projectId: string, userId: string) => count(["writes", projectId, userId], settings.user_writes),

    /** Counts events of a user, all of a call or none. */
    userEvents: (projectId: string, userId: string, events: number) =>
      count(["events", projectId, userId], settings.user_events, events),

    /** Counts a project that a developer creates. */
    projectCreation: (developerId: string) => count(["projects", developerId], settings.project_creation),
  }
}

/** The limits of a service. */
export type Limits = ReturnType<typeof makeLimits>
