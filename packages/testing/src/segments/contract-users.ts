import type { JsonObject } from "@hearth/core"
import { maxUnits } from "@hearth/core/currencies"
import fc from "fast-check"
import { numbers, texts, timestamps } from "./arbitrary-values.ts"
import { fromNow, type UserFixture } from "./contract-fixtures.ts"

const day = 86_400_000

/** Any text. */
export const anyText = fc.constantFrom(...texts, ...timestamps)
const anyTimestamp = fc.constantFrom(...timestamps)
/** Any number. */
export const anyNumber = fc.constantFrom(...numbers)
/** Any text, number or flag. */
export const anyScalar = fc.oneof(anyText, anyNumber, fc.boolean())

const keys = ["a", "b", "0", "A", "__proto__", "constructor", "length", "toString", "a b", "🦊", "%", "'", "$1", "{a}"]
const anyKey = fc.constantFrom(...keys)
const keyed = <Value>(value: fc.Arbitrary<Value>, maxLength: number) =>
  // `fromEntries` keeps `__proto__` as a key; an assignment would not.
  fc.array(fc.tuple(anyKey, value), { maxLength }).map((entries) => Object.fromEntries(entries) as JsonObject)

const anyItem = fc.oneof(anyScalar, fc.constant(null), fc.array(anyScalar, { maxLength: 2 }), keyed(anyScalar, 2))
const anyLeafValue = fc.oneof(
  { weight: 6, arbitrary: anyScalar },
  { weight: 2, arbitrary: anyTimestamp },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.array(anyItem, { maxLength: 4 }) },
)
const anyProperty = fc.oneof(
  { weight: 3, arbitrary: anyLeafValue },
  { weight: 2, arbitrary: keyed(fc.oneof(anyLeafValue, keyed(anyLeafValue, 3)), 4) },
)

/** Instants around `fixtureNow`, and around the bounds of rules that look back. */
export const instants = [0, 1, -1, 1000, day, -day, -day - 1, -7 * day, -7 * day - 1, 1 - 7 * day].map(fromNow)
const anyInstant = fc.constantFrom(...instants, new Date(0), new Date("0001-01-01T00:00:00.001Z"))
const anyNullableText = fc.option(anyText, { freq: 3 })

/** Entitlements that users have. */
export const entitlementIds = ["pro", "PRO", "a.b", "%", "'"]
/** Providers of their identities. */
export const providers = ["email", "idp_a", "idp_b", "%"]
/** Names of their events. */
export const events = ["a", "A", "lesson", "%", "'"]

const anyEntitlements = fc.uniqueArray(
  fc.record({
    entitlement_id: fc.constantFrom(...entitlementIds),
    is_active: fc.boolean(),
    expiration_date: fc.option(anyInstant),
  }),
  { maxLength: 4, selector: ({ entitlement_id }) => entitlement_id },
)

/** Keys of achievements. That with which none begins is nobody's. */
export const achievementKeys = ["first", "first.again", "FIRST", "%", "'", "a b"]

// Mostly numbers, as rules sum them.
const anyEventProperty = fc.oneof({ weight: 3, arbitrary: anyNumber }, { weight: 2, arbitrary: anyProperty })

// At the edges of intervals, of the maximum, and of what is exact.
const anyWallet = fc.record({
  balance: fc.constantFrom(
    0,
    1,
    25_000,
    50_000,
    75_001,
    99_999,
    100_000,
    120_000,
    maxUnits - 3,
    maxUnits - 2,
    maxUnits,
  ),
  anchor_at: fc
    .constantFrom(-86_400_000, -7_200_001, -7_200_000, -7_199_999, -3_600_000, -3_599_999, 0, 1)
    .map((millis) => fromNow(millis)),
})

/** Users with awkward values of every kind. The streak definitions must exist; unique columns are left out. */
export const anyUserFixture = (definitions: ReadonlyArray<string>): fc.Arbitrary<UserFixture> =>
  fc.record({
    user: fc.record({
      display_name: anyText,
      avatar_url: anyNullableText,
      timezone: anyNullableText,
      properties: keyed(anyProperty, 8),
      auth_providers: fc.array(
        fc.record({ provider: fc.constantFrom(...providers), provider_id: fc.constantFrom("email", "x") }),
        { maxLength: 3 },
      ),
      is_disabled: fc.boolean(),
      first_seen_at: anyInstant,
      last_seen_at: anyInstant,
      created_at: anyInstant,
      updated_at: anyInstant,
      email_verified_at: fc.option(anyInstant, { nil: null }),
    }),
    entitlements: anyEntitlements,
    streaks: fc.dictionary(fc.constantFrom(...definitions), fc.constantFrom(0, 1, 5, 2147483647), { maxKeys: 2 }),
    achievements: fc.subarray(achievementKeys),
    wallets: fc.dictionary(fc.constantFrom("ENERGY", "GEMS"), anyWallet, { maxKeys: 2 }),
    xp: fc.constantFrom(null, 0, 1, 5, 2_147_483_648, 9_007_199_254_740_991),
    events: fc.array(
      fc.record({
        event_name: fc.constantFrom(...events),
        occurred_at: anyInstant,
        properties: keyed(anyEventProperty, 5),
      }),
      { maxLength: 8 },
    ),
  })
