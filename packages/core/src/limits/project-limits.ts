import { Schema } from "effect"
import { columnKind } from "../columns.ts"
import { Count } from "../schema.ts"
import type { LimitList } from "./settings.ts"

/** The features whose client routes write, each named by the first segment of their paths after `/client` [I0.1]. */
export const limitedFeatures = [
  "auth",
  "blocks",
  "content",
  "currencies",
  "deep-links",
  "events",
  "follows",
  "groups",
  "inventory",
  "media",
  "messaging",
  "onboarding",
  "push",
  "referrals",
  "reports",
  "reviews",
  "sessions",
  "stores",
  "streaks",
  "users",
] as const

// A user who writes this often in a minute or a day is not limited in effect.
const Points = Count.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

/** How many calls that write a user may make. A key that is left out has the limit of the service. */
const FeatureLimits = Schema.Struct({
  per_minute: Schema.optionalKey(Points),
  per_day: Schema.optionalKey(Points),
})
type FeatureLimits = typeof FeatureLimits.Type

const FeatureLimitChanges = Schema.NullOr(
  Schema.Struct({
    per_minute: Schema.optionalKey(Schema.NullOr(Points)),
    per_day: Schema.optionalKey(Schema.NullOr(Points)),
  }),
)

const isLimited = (name: string): boolean => (limitedFeatures as ReadonlyArray<string>).includes(name)

const knownFeatures = Schema.makeFilter(
  (limits: Readonly<Record<string, unknown>>) =>
    Object.keys(limits).every(isLimited) || `may have only ${limitedFeatures.join(", ")}`,
)

/** The limits of a project's users by feature [I0.1]. */
export const ProjectLimits = Schema.Record(Schema.String, FeatureLimits)
  .check(knownFeatures)
  .annotate(columnKind("json"))
export type ProjectLimits = typeof ProjectLimits.Type

/** Limits that are to change. Features and keys that are left out stay; null clears one [I0.1]. */
export const ProjectLimitChanges = Schema.Record(Schema.String, FeatureLimitChanges).check(knownFeatures)
export type ProjectLimitChanges = typeof ProjectLimitChanges.Type

/** A project's limits with changes made. What is cleared is left out, and so is a feature that has no limit left. */
export const changeLimits = (limits: ProjectLimits, changes: ProjectLimitChanges): ProjectLimits => {
  const changed = Object.entries(changes).map(([feature, change]) => {
    const merged = change === null ? {} : { ...limits[feature], ...change }
    return [feature, Object.fromEntries(Object.entries(merged).filter(([, points]) => points !== null))] as const
  })
  const all = Object.entries({ ...limits, ...Object.fromEntries(changed) })
  return Object.fromEntries(all.filter(([, each]) => Object.keys(each).length > 0))
}

const minute = 60
const day = 86_400

const replace = (limits: LimitList, seconds: number, points: number | undefined): LimitList =>
  points === undefined ? limits : [...limits.filter((limit) => limit.seconds !== seconds), { points, seconds }]

/** The limits of the service with those that a project sets for a feature in the place of the same window. */
export const mergeLimits = (limits: LimitList, given: FeatureLimits | undefined): LimitList =>
  replace(replace(limits, minute, given?.per_minute), day, given?.per_day)
