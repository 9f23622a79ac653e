import { Effect } from "effect"
import { type Failure, RateLimitExceeded } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { RateClaim, RateDecision } from "../ports/rate-limiter.ts"
import { isLoopback, limitSubject } from "./address.ts"
import { isMade, makeAttempts } from "./attempts.ts"
import { mergeLimits, type ProjectLimits } from "./project-limits.ts"
import type { LimitList, LimitSettings } from "./settings.ts"

/** The address that a call came from; null for a caller within the process, whom no limit per address counts. */
export type CallerAddress = string | null

const claim = (key: ReadonlyArray<string>, limits: LimitList): ReadonlyArray<RateClaim> =>
  limits.map((limit) => ({ key: JSON.stringify(key), limit }))

const pass = ({ allowed, reset_seconds }: RateDecision) =>
  allowed ? Effect.void : Effect.fail(new RateLimitExceeded({ retry_after_seconds: reset_seconds }))

const noLimits: Effect.Effect<ProjectLimits> = Effect.succeed({})

/**
 * The limits of [B14] and [I0.1]. Every refusal is `RateLimitExceeded`. `findLimits`: those that a project sets; it is asked at
 * every write, so it must be remembered.
 */
export const makeLimits = (
  ports: Pick<Ports, "clock" | "limiter">,
  settings: LimitSettings,
  findLimits: (projectId: string) => Effect.Effect<ProjectLimits> = () => noLimits,
) => {
  const { limiter } = ports
  const countAttempts = makeAttempts(ports)

  /** Counts a call of `points`. */
  const count = Effect.fnUntraced(function* (key: ReadonlyArray<string>, limits: LimitList, points = 1) {
    if (limits.length === 0 || points === 0) return
    yield* pass(yield* limiter.consume(JSON.stringify(key), limits, points))
  })

  /** Counts a call for each of these claims, or for none where it is refused. */
  const countEach = Effect.fnUntraced(function* (claims: ReadonlyArray<RateClaim>) {
    if (claims.length === 0) return
    yield* pass(yield* limiter.consumeEach(claims))
  })

  return {
    /** Counts failed logins by email, address and both. A lock by one address leaves other addresses free [B14]. */
    login: (projectId: string, email: string, address: CallerAddress) => {
      const per = (name: string, ...key: ReadonlyArray<string>) => [`login/${name}`, projectId, ...key]
      const byEmail = claim(per("email", email), settings.login_per_email)
      if (address === null) return countAttempts(byEmail)
      const subject = limitSubject(address)
      return countAttempts([
        ...claim(per("email-and-address", email, subject), settings.login_per_email_and_address),
        ...byEmail,
        ...claim(per("address", subject), settings.login_per_address),
      ])
    },

    /** Counts refused tokens of a route by address [B14]. */
    token: (route: "magic-link" | "refresh" | "link", projectId: string, address: CallerAddress) =>
      countAttempts(
        address === null ? [] : claim([`tokens/${route}`, projectId, limitSubject(address)], settings.refused_tokens),
      ),

    /** Counts codes that a user redeems and that are not there [G7.2]. */
    unknownCode: (projectId: string, userId: string) =>
      countAttempts(
        claim(["codes", projectId, userId], settings.unknown_codes),
        (failure) => failure?.kind === "not_found",
      ),

    /** Counts a sign-up by email [B14]. `RATE_LIMIT_EXCEEDED`. */
    emailSignup: (projectId: string, address: CallerAddress) =>
      address === null ? Effect.void : count(["signup", projectId, limitSubject(address)], settings.email_signup),

    /** Counts an anonymous or social sign-in [B14]. `RATE_LIMIT_EXCEEDED`. */
    signIn: (projectId: string, address: CallerAddress) =>
      address === null || (settings.exempts_loopback && isLoopback(address))
        ? Effect.void
        : count(["sign-in", projectId, limitSubject(address)], settings.sign_in),

    /** Counts a call of a user that writes: among all of them [B14], and among those to the feature [I0.1]. `RATE_LIMIT_EXCEEDED`. */
    userWrite: Effect.fnUntraced(function* (projectId: string, userId: string, feature: string) {
      const given = yield* findLimits(projectId)
      const perFeature = mergeLimits(settings.feature_writes, given[feature])
      yield* countEach([
        ...claim(["writes", projectId, userId], settings.user_writes),
        ...claim(["writes", projectId, userId, feature], perFeature),
      ])
    }),

    /** Counts a report that a user makes [I0.1]. `RATE_LIMIT_EXCEEDED`. */
    report: (projectId: string, userId: string) => count(["reports", projectId, userId], settings.reports),

    /** Counts an invite code that a user tries, right or wrong [I0.1]. `RATE_LIMIT_EXCEEDED`. */
    inviteTry: (projectId: string, userId: string) => count(["invites", projectId, userId], settings.invite_tries),

    /** Counts groups that a user has created [I0.1]. */
    newGroup: (projectId: string, userId: string) =>
      countAttempts(claim(["groups", projectId, userId], settings.new_groups), isMade),

    /** Counts direct conversations that a user has opened with somebody new [I0.1]. */
    newConversation: (projectId: string, userId: string) =>
      countAttempts(claim(["conversations", projectId, userId], settings.new_conversations), isMade),

    /** Counts media that a user has created. What the project allows of media per day holds here too [I0.1]. */
    newMedia:
      (projectId: string, userId: string) =>
      <A, E extends Pick<Failure, "kind">>(attempt: Effect.Effect<A, E>) =>
        Effect.flatMap(findLimits(projectId), ({ media }) => {
          const perDay = media?.per_day === undefined ? {} : { per_day: media.per_day }
          const limits = mergeLimits(settings.new_media, perDay)
          return countAttempts(claim(["media", projectId, userId], limits), isMade)(attempt)
        }),

    /** Counts events of a user, all of a call or none [B14]. `RATE_LIMIT_EXCEEDED`. */
    userEvents: (projectId: string, userId: string, events: number) =>
      count(["events", projectId, userId], settings.user_events, events),

    /** Counts a webhook of a project, by whether its secret or signature is right [H2.1]. `RATE_LIMIT_EXCEEDED`. */
    webhook: (projectId: string, isAuthentic: boolean) =>
      count([isAuthentic ? "webhooks" : "webhooks/refused", projectId], settings.webhooks),

    /** Counts a project that a developer creates [B14]. `RATE_LIMIT_EXCEEDED`. */
    projectCreation: (developerId: string) => count(["projects", developerId], settings.project_creation),
  }
}

/** The limits of a service. */
export type Limits = ReturnType<typeof makeLimits>
