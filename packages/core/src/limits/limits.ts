import { Effect } from "effect"
import { RateLimitExceeded } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { RateClaim } from "../ports/rate-limiter.ts"
import { isLoopback, limitSubject } from "./address.ts"
import { makeAttempts } from "./attempts.ts"
import type { LimitList, LimitSettings } from "./settings.ts"

/** The address that a call came from; null for a caller within the process, whom no limit per address counts. */
export type CallerAddress = string | null

const claim = (key: ReadonlyArray<string>, limits: LimitList): ReadonlyArray<RateClaim> =>
  limits.map((limit) => ({ key: JSON.stringify(key), limit }))

/** The limits of [B14]. Every refusal is `RateLimitExceeded`. */
export const makeLimits = (ports: Pick<Ports, "clock" | "limiter">, settings: LimitSettings) => {
  const { limiter } = ports
  const countGuesses = makeAttempts(ports)

  /** Counts a call of `points`. */
  const count = Effect.fnUntraced(function* (key: ReadonlyArray<string>, limits: LimitList, points = 1) {
    if (limits.length === 0 || points === 0) return
    const decision = yield* limiter.consume(JSON.stringify(key), limits, points)
    if (!decision.allowed) return yield* new RateLimitExceeded({ retry_after_seconds: decision.reset_seconds })
  })

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

    /** Counts codes that a user redeems and that are not there [G7.2]. */
    unknownCode: (projectId: string, userId: string) =>
      countGuesses(claim(["codes", projectId, userId], settings.unknown_codes), ({ kind }) => kind === "not_found"),

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

    /** Counts a webhook of a project, by whether its secret or signature is right [H2.1]. */
    webhook: (projectId: string, isAuthentic: boolean) =>
      count([isAuthentic ? "webhooks" : "webhooks/refused", projectId], settings.webhooks),

    /** Counts a project that a developer creates. */
    projectCreation: (developerId: string) => count(["projects", developerId], settings.project_creation),
  }
}

/** The limits of a service. */
export type Limits = ReturnType<typeof makeLimits>
