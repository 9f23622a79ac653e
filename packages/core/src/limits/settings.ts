import type { RateLimit } from "../ports/rate-limiter.ts"

/** One limit or several; none where the list is empty. */
export type LimitList = ReadonlyArray<RateLimit>

/** The limits of [B14] and [I0.1]. Those of the client plane are counted per project. */
export interface LimitSettings {
  /** Failed logins, per email and address. */
  readonly login_per_email_and_address: LimitList
  /** Failed logins, per email. */
  readonly login_per_email: LimitList
  /** Failed logins, per address. */
  readonly login_per_address: LimitList
  /** Sign-ups by email, per address. */
  readonly email_signup: LimitList
  /** Refused tokens, per address and route: magic-link verify, refresh and link. */
  readonly refused_tokens: LimitList
  /** Anonymous and social sign-ins together, per address. */
  readonly sign_in: LimitList
  /** Calls that write, per user. */
  readonly user_writes: LimitList
  /** Calls that write, per user and feature. A project's `limits` replace those per minute and per day [I0.1]. */
  readonly feature_writes: LimitList
  /** Reports, per user [I0.1]. */
  readonly reports: LimitList
  /** Invite codes tried, per user [I0.1]. */
  readonly invite_tries: LimitList
  /** Groups created, per user [I0.1]. */
  readonly new_groups: LimitList
  /** Direct conversations with somebody new, per user [I0.1]. */
  readonly new_conversations: LimitList
  /** Media created, per user. A project's `limits` of media replace the one per day [I0.1]. */
  readonly new_media: LimitList
  /** Events, per user. */
  readonly user_events: LimitList
  /** Codes redeemed that are not there, per user [G7.2]. */
  readonly unknown_codes: LimitList
  /** Webhooks of a project, of both providers together; those with a wrong secret or signature are counted apart [H2.1]. */
  readonly webhooks: LimitList
  /** Projects created, per developer. */
  readonly project_creation: LimitList
  /** How many projects a developer may own; null is no bound. */
  readonly owned_projects: number | null
  /** Whether anonymous and social sign-ins from this machine are not counted: while the service is embedded. */
  readonly exempts_loopback: boolean
}

const minute = 60
const hour = 3_600
const day = 86_400

/** The limits of [B14] and [I0.1] of a service that is not embedded. */
export const defaultLimits: LimitSettings = {
  login_per_email_and_address: [{ points: 10, seconds: 15 * minute }],
  login_per_email: [{ points: 100, seconds: hour }],
  login_per_address: [{ points: 300, seconds: hour }],
  email_signup: [{ points: 100, seconds: hour }],
  refused_tokens: [{ points: 60, seconds: minute }],
  sign_in: [{ points: 1_000, seconds: minute }],
  user_writes: [{ points: 600, seconds: 10 }],
  feature_writes: [
    { points: 600, seconds: minute },
    { points: 20_000, seconds: day },
  ],
  reports: [{ points: 60, seconds: hour }],
  invite_tries: [{ points: 20, seconds: minute }],
  new_groups: [{ points: 60, seconds: hour }],
  new_conversations: [{ points: 120, seconds: hour }],
  new_media: [{ points: 200, seconds: day }],
  user_events: [{ points: 5_000, seconds: 10 }],
  unknown_codes: [{ points: 20, seconds: hour }],
  webhooks: [{ points: 100, seconds: 1 }],
  project_creation: [
    { points: 20, seconds: minute },
    { points: 200, seconds: day },
  ],
  owned_projects: null,
  exempts_loopback: false,
}

/** What differs while the service is embedded [B14]. */
export const embeddedLimits: Pick<LimitSettings, "project_creation" | "exempts_loopback"> = {
  project_creation: [
    { points: 120, seconds: minute },
    { points: 5_000, seconds: day },
  ],
  exempts_loopback: true,
}
