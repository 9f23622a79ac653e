import { optional, type ValuesOf, wholeNumber, withDefault } from "@hearth/adapters"
import { defaultLimits, embeddedLimits, isUsableLimit, type LimitList, type LimitSettings } from "@hearth/core/limits"
import { defaultLiveSettings, type LiveSettings } from "@hearth/core/live"
import { Schema, SchemaGetter } from "effect"

const unitSeconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400 }
const part = /^(\d{1,10}) per (?:(\d{1,7}) )?(second|minute|hour|day)s?$/

/** Reads `10 per 15 minutes`, several with commas between, or `off`; null where it is none of them. */
export const parseLimits = (text: string): LimitList | null => {
  if (text.trim() === "off") return []
  const limits = text.split(",").map((each) => {
    const [, points, count = "1", unit = ""] = part.exec(each.trim()) ?? []
    return { points: Number(points), seconds: Number(count) * (unitSeconds[unit] ?? Number.NaN) }
  })
  const isRepeated = new Set(limits.map(({ points, seconds }) => `${points}/${seconds}`)).size < limits.length
  return isRepeated || !limits.every(isUsableLimit) ? null : limits
}

const units = Object.entries(unitSeconds).toReversed()

/** Writes limits the way they are read. */
const formatLimits = (limits: LimitList): string =>
  limits.length === 0
    ? "off"
    : limits
        .map(({ points, seconds }) => {
          const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ["second", 1]
          const count = seconds / length
          return `${points} per ${count === 1 ? unit : `${count} ${unit}s`}`
        })
        .join(", ")

const Limits = Schema.String.check(
  Schema.makeFilter(
    (value: string) =>
      parseLimits(value) !== null || "must be limits like 10 per 15 minutes, with commas between, or off",
  ),
).pipe(
  Schema.decodeTo(Schema.Any as Schema.Codec<LimitList>, {
    decode: SchemaGetter.transform((value: string) => parseLimits(value) ?? []),
    encode: SchemaGetter.transform(formatLimits),
  }),
)

const Quota = wholeNumber(1, 1_000_000, "must be a number from 1 to 1000000")

const limit = (about: string, value: LimitList) => withDefault(about, Limits, value, formatLimits(value))

/** The settings of the limits of [B14] and [I0.1]. */
export const limitSettings = {
  LIMIT_LOGIN_PER_EMAIL_AND_ADDRESS: limit(
    "How many logins of an app's users may fail, per email and address. This and the limits after it: per project; off for none.",
    defaultLimits.login_per_email_and_address,
  ),
  LIMIT_LOGIN_PER_EMAIL: limit("The same per email, from whatever addresses.", defaultLimits.login_per_email),
  LIMIT_LOGIN_PER_ADDRESS: limit("The same per address, with whatever emails.", defaultLimits.login_per_address),
  LIMIT_EMAIL_SIGNUP: limit("How many users may sign up by email, per address.", defaultLimits.email_signup),
  LIMIT_REFUSED_TOKENS: limit(
    "How many tokens may be refused, per address: of magic links, of refreshes and of links, each.",
    defaultLimits.refused_tokens,
  ),
  LIMIT_SIGN_IN: limit(
    "How many anonymous and social sign-ins there may be, per address. Without DATABASE_URL those from this machine are not counted.",
    defaultLimits.sign_in,
  ),
  LIMIT_USER_WRITES: limit("How many calls that write a user may make.", defaultLimits.user_writes),
  LIMIT_FEATURE_WRITES: limit(
    "How many of them may be to one feature. A project's limits replace those per minute and per day.",
    defaultLimits.feature_writes,
  ),
  LIMIT_REPORTS: limit("How many reports a user may make.", defaultLimits.reports),
  LIMIT_INVITE_TRIES: limit("How many invite codes of groups a user may try.", defaultLimits.invite_tries),
  LIMIT_NEW_GROUPS: limit("How many groups a user may create.", defaultLimits.new_groups),
  LIMIT_NEW_CONVERSATIONS: limit(
    "How many direct conversations a user may open with somebody new.",
    defaultLimits.new_conversations,
  ),
  LIMIT_NEW_MEDIA: limit(
    "How many media a user may create. A project's limit of media per day replaces the one per day.",
    defaultLimits.new_media,
  ),
  LIMIT_USER_EVENTS: limit(
    "How many events a user may write; one call has up to 100 of them.",
    defaultLimits.user_events,
  ),
  LIMIT_UNKNOWN_CODES: limit(
    "How many codes of referrals that are not there a user may try to redeem.",
    defaultLimits.unknown_codes,
  ),
  LIMIT_WEBHOOKS: limit(
    "How many webhooks there may be of a project. Those with a wrong secret or signature are counted apart.",
    defaultLimits.webhooks,
  ),
  LIMIT_PROJECT_CREATION: optional(
    `How many projects a developer may create. By default ${formatLimits(defaultLimits.project_creation)}; without DATABASE_URL ${formatLimits(embeddedLimits.project_creation)}.`,
    Limits,
    formatLimits(defaultLimits.project_creation),
  ),
  STREAMS_PER_USER: withDefault(
    "How many streams (server-sent events) a user may have open. This and the three after it: in each server.",
    Quota,
    defaultLiveSettings.per_user,
  ),
  STREAMS_PER_DEVELOPER: withDefault(
    "How many of them a developer may have open, in all projects.",
    Quota,
    defaultLiveSettings.per_developer,
  ),
  STREAMS_PER_PROJECT: withDefault(
    "How many of them the users and developers of a project may have open.",
    Quota,
    defaultLiveSettings.per_project,
  ),
  STREAMS_PER_SERVER: withDefault("How many there may be in all.", Quota, defaultLiveSettings.per_process),
  PROJECTS_PER_DEVELOPER: optional("How many projects a developer may own. No bound by default.", Quota, "100"),
}

/** The limits that were set. `isEmbedded`: the service runs its own database. */
export const readLimits = (values: ValuesOf<typeof limitSettings>, isEmbedded: boolean): LimitSettings => {
  const mode = isEmbedded ? embeddedLimits : defaultLimits
  return {
    login_per_email_and_address: values.LIMIT_LOGIN_PER_EMAIL_AND_ADDRESS,
    login_per_email: values.LIMIT_LOGIN_PER_EMAIL,
    login_per_address: values.LIMIT_LOGIN_PER_ADDRESS,
    email_signup: values.LIMIT_EMAIL_SIGNUP,
    refused_tokens: values.LIMIT_REFUSED_TOKENS,
    sign_in: values.LIMIT_SIGN_IN,
    user_writes: values.LIMIT_USER_WRITES,
    feature_writes: values.LIMIT_FEATURE_WRITES,
    reports: values.LIMIT_REPORTS,
    invite_tries: values.LIMIT_INVITE_TRIES,
    new_groups: values.LIMIT_NEW_GROUPS,
    new_conversations: values.LIMIT_NEW_CONVERSATIONS,
    new_media: values.LIMIT_NEW_MEDIA,
    user_events: values.LIMIT_USER_EVENTS,
    unknown_codes: values.LIMIT_UNKNOWN_CODES,
    webhooks: values.LIMIT_WEBHOOKS,
    project_creation: values.LIMIT_PROJECT_CREATION ?? mode.project_creation,
    owned_projects: values.PROJECTS_PER_DEVELOPER,
    exempts_loopback: mode.exempts_loopback,
  }
}

/** How many streams there may be. */
export const readStreamLimits = (values: ValuesOf<typeof limitSettings>): LiveSettings => ({
  per_user: values.STREAMS_PER_USER,
  per_developer: values.STREAMS_PER_DEVELOPER,
  per_project: values.STREAMS_PER_PROJECT,
  per_process: values.STREAMS_PER_SERVER,
})
