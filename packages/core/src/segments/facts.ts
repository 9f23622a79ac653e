import type { Entitlement } from "../entitlements/entitlement.ts"
import type { UserRow } from "../users/user.ts"
import type { FieldTarget } from "./fields.ts"

/** What rules are matched against: all that they can read about one user. */
export interface UserFacts {
  readonly user: UserRow
  readonly entitlements: ReadonlyArray<Pick<Entitlement, "entitlement_id" | "is_active" | "expiration_date">>
  /** `current_count` by the id of the streak definition, for the streaks that the user has. */
  readonly streaks: ReadonlyMap<string, number>
  /** The keys of the achievements that the user has unlocked. */
  readonly achievements: ReadonlySet<string>
  /** The user's total XP; 0 without entries. */
  readonly xp: number
  /** The balances by the code of the currency, with what has recharged; the initial balance where nothing was touched [G4.4]. */
  readonly currencies: ReadonlyMap<string, number>
  /** What each rule about events counts or sums, by `measureKey`; 0 where it is missing. */
  readonly events: ReadonlyMap<string, number>
}

/** The value at a path of properties; null where there is none. Only own keys of objects are followed. */
export const propertyAt = (properties: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((within, key) => {
    const isNested = typeof within === "object" && within !== null && !Array.isArray(within)
    return isNested && Object.hasOwn(within, key) ? (within as Readonly<Record<string, unknown>>)[key] : null
  }, properties)

/** The user's value of a field: JSON or an instant; null when it is missing. */
export const factOf = (target: FieldTarget, facts: UserFacts, now: Date): unknown => {
  const { user, entitlements, streaks, achievements } = facts
  switch (target.kind) {
    case "list":
      return user.auth_providers.map(({ provider }) => provider)
    case "property":
      return propertyAt(user.properties, target.path)
    case "entitlement": {
      const held = entitlements.find(({ entitlement_id }) => entitlement_id === target.entitlement_id)
      return held === undefined ? null : held.is_active && (held.expiration_date === null || held.expiration_date > now)
    }
    case "achievement":
      return achievements.has(target.key)
    case "streak":
      return streaks.get(target.streak_definition_id) ?? null
    case "xp":
      return facts.xp
    case "currency":
      return facts.currencies.get(target.code) ?? null
    default:
      return user[target.column]
  }
}
