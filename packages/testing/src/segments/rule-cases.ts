import type { JsonObject } from "@hearth/core"
import { fixtureNow, fromNow, type UserFixture } from "./contract-fixtures.ts"
import { type FieldCases, fieldCases } from "./field-cases.ts"
import { nested, property } from "./property-cases.ts"

const day = 86_400_000

const text = fieldCases(
  "avatar_url",
  {
    text: { user: { avatar_url: "Äpfel\\ 100%" } },
    lower: { user: { avatar_url: "äpfel\\ 100%" } },
    empty: { user: { avatar_url: "" } },
    absent: {},
  },
  [
    ["exists", undefined, "text", "lower", "empty"],
    ["eq", "Äpfel\\ 100%", "text"],
    ["eq", "", "empty"],
    ["contains", "ÄPFEL\\", "text", "lower"],
    ["contains", "l 1"],
    ["contains", "", "text", "lower", "empty"],
  ],
)

const timestamp = fieldCases(
  "last_seen_at",
  {
    old: { user: { last_seen_at: fromNow(-7 * day - 1) } },
    edge: { user: { last_seen_at: fromNow(-7 * day) } },
    now: { user: { last_seen_at: fixtureNow } },
    ahead: { user: { last_seen_at: fromNow(1) } },
  },
  [
    ["exists", undefined, "old", "edge", "now", "ahead"],
    ["eq", "2026-03-01T13:00:00+01:00", "now"],
    ["eq", "2026-03-01T12:00:00.000999Z", "now"],
    ["gt", "2026-03-01T12:00:00Z", "ahead"],
    ["gte", "2026-03-01T12:00:00Z", "now", "ahead"],
    ["lt", "2026-02-22T12:00:00Z", "old"],
    ["lte", "2026-02-22T12:00:00Z", "old", "edge"],
    ["within", "7d", "edge", "now"],
    ["within", "168h", "edge", "now"],
    ["within", "1m", "now"],
  ],
)

const verified = fieldCases(
  "email_verified_at",
  {
    old: { user: { email: "old@example.com", email_verified_at: fromNow(-7 * day - 1) } },
    now: { user: { email: "now@example.com", email_verified_at: fixtureNow } },
    unproven: { user: { email: "unproven@example.com" } },
    absent: {},
  },
  [
    ["exists", undefined, "old", "now"],
    ["eq", "2026-03-01T12:00:00Z", "now"],
    ["lt", "2026-03-01T12:00:00Z", "old"],
    ["gte", "2026-03-01T12:00:00Z", "now"],
    ["within", "7d", "now"],
  ],
)

const provider = (...names: ReadonlyArray<string>): UserFixture => ({
  user: { auth_providers: names.map((name) => ({ provider: name, provider_id: "email" })) },
})

const providers = fieldCases(
  "auth_providers",
  { none: {}, apple: provider("idp_a"), both: provider("email", "idp_a"), email: provider("email") },
  [
    ["exists", undefined, "none", "apple", "both", "email"],
    ["contains", "idp_a", "apple", "both"],
    ["contains", "email", "both", "email"],
    ["contains", "IDP_A"],
    ["contains", ""],
  ],
)

const disabled = fieldCases("is_disabled", { yes: { user: { is_disabled: true } }, no: {} }, [
  ["exists", undefined, "yes", "no"],
  ["eq", true, "yes"],
  ["eq", false, "no"],
])

const held = (is_active: boolean, expiration_date: Date | null, entitlement_id = "a.pro"): UserFixture => ({
  entitlements: [{ entitlement_id, is_active, expiration_date }],
})

const entitlement = fieldCases(
  "entitlements.a.pro",
  {
    active: held(true, null),
    ahead: held(true, fromNow(1)),
    expired: held(true, fixtureNow),
    inactive: held(false, null),
    inactiveAhead: held(false, fromNow(1)),
    another: held(true, null, "a"),
    absent: {},
  },
  [
    ["exists", undefined, "active", "ahead", "expired", "inactive", "inactiveAhead"],
    ["eq", true, "active", "ahead"],
    ["eq", false, "expired", "inactive", "inactiveAhead"],
  ],
)

const achievement = fieldCases(
  "achievements.first.win",
  { holder: { achievements: ["first.win", "other"] }, another: { achievements: ["first"] }, none: {} },
  [
    ["exists", undefined, "holder", "another", "none"],
    ["eq", true, "holder"],
    ["eq", false, "another", "none"],
  ],
)

const xp = fieldCases("xp.total", { absent: {}, none: { xp: 0 }, five: { xp: 5 }, many: { xp: 2_147_483_648 } }, [
  ["exists", undefined, "absent", "none", "five", "many"],
  ["eq", 5, "five"],
  ["eq", 0, "absent", "none"],
  ["gt", 4.5, "five", "many"],
  ["gte", 2_147_483_648, "many"],
  ["lt", 5, "absent", "none"],
  ["lte", -5e-324],
])

const hour = 3_600_000
const energy = (balance: number, age: number) => ({ wallets: { ENERGY: { balance, anchor_at: fromNow(-age) } } })

// 5 at first, then 2.5 an hour up to 10.
const currency = fieldCases(
  "currencies.ENERGY",
  {
    untouched: {},
    spent: energy(0, hour - 1),
    recharged: energy(0, hour),
    full: energy(75_001, 5 * hour),
    over: energy(120_000, hour),
  },
  [
    ["exists", undefined, "untouched", "spent", "recharged", "full", "over"],
    ["eq", 5, "untouched"],
    ["eq", 0, "spent"],
    ["eq", 2.5, "recharged"],
    ["eq", 10, "full"],
    ["gt", 10, "over"],
    ["gte", 2.5, "untouched", "recharged", "full", "over"],
    ["lt", 2.5, "spent"],
    ["lte", 5, "untouched", "spent", "recharged"],
  ],
)

const unknownCurrency = fieldCases("currencies.NONE", { any: energy(1, 0), untouched: {} }, [
  ["exists", undefined],
  ["eq", 0],
  ["lt", 1],
])

/** The cases of fields of the user row, entitlements, achievements, XP and balances. */
export const userFieldCases: ReadonlyArray<FieldCases> = [
  property,
  nested,
  text,
  timestamp,
  verified,
  providers,
  disabled,
  entitlement,
  achievement,
  xp,
  currency,
  unknownCurrency,
]

/** The cases of the streak of a definition. */
export const streakCases = (definition: string, another: string): FieldCases =>
  fieldCases(
    `streaks.${definition.toUpperCase()}.current_count`,
    {
      five: { streaks: { [definition]: 5, [another]: 1 } },
      broken: { streaks: { [definition]: 0 } },
      another: { streaks: { [another]: 5 } },
      absent: {},
    },
    [
      ["exists", undefined, "five", "broken"],
      ["eq", 5, "five"],
      ["eq", 0, "broken"],
      ["gt", 4.5, "five"],
      ["gte", 0, "five", "broken"],
      ["lt", 1e308, "five", "broken"],
      ["lte", -5e-324],
    ],
  )

const lessons = (...instants: ReadonlyArray<Date>): UserFixture => ({
  events: instants.map((occurred_at) => ({ event_name: "lesson", occurred_at })),
})

/** Users with different numbers of events. */
export const eventUsers = {
  never: { events: [{ event_name: "Lesson", occurred_at: fixtureNow }] },
  once: lessons(fromNow(-day - 1)),
  edges: lessons(fromNow(-day), fixtureNow),
  ahead: lessons(fromNow(1), fromNow(1), fromNow(1)),
} satisfies Readonly<Record<string, UserFixture>>

type EventCase = readonly [op: string, count: number, within: string | null, ...Array<keyof typeof eventUsers>]

/** The users whom rules about events describe. */
export const eventCases: ReadonlyArray<EventCase> = [
  ["eq", 0, null, "never"],
  ["neq", 0, null, "once", "edges", "ahead"],
  ["gt", 1, null, "edges", "ahead"],
  ["gte", 1, null, "once", "edges", "ahead"],
  ["lt", 2, null, "never", "once"],
  ["lte", 2, null, "never", "once", "edges"],
  ["gte", 1_000_000_000, null],
  ["eq", 0, "1d", "never", "once", "ahead"],
  ["eq", 2, "24h", "edges"],
  ["eq", 1, "1m", "edges"],
  ["neq", 1, "1m", "never", "once", "ahead"],
  ["gte", 1, "36500d", "once", "edges"],
]

const scored = (...scores: ReadonlyArray<JsonObject[string]>): UserFixture => ({
  events: scores.map((score) => ({ event_name: "game", occurred_at: fixtureNow, properties: { score, at: { x: 1 } } })),
})

/** Users whose events have a score of every type. */
export const scoreUsers = {
  none: { events: [{ event_name: "game", occurred_at: fixtureNow }] },
  low: scored(1, 2.5),
  tenths: scored(...Array(10).fill(0.1)),
  high: scored(40.00005, 60),
  below: scored(-5, 3),
  // Only 7 of these is a number that is summed.
  mixed: scored("50", true, null, [50], { x: 50 }, 900_000_000_001, 7),
} satisfies Readonly<Record<string, UserFixture>>

const scoreIs = (op: string, value: JsonObject[string]) => ({ field: "properties.score", op, value })

/** The users whom rules about the properties of events describe [G1.1]. */
export const scoreCases: ReadonlyArray<readonly [rule: object, ...Array<keyof typeof scoreUsers>]> = [
  [{ count: 1, where: scoreIs("gte", 2.5) }, "low", "high", "below", "mixed"],
  [{ count: 1, where: { all: [scoreIs("gte", 2.5), scoreIs("lt", 7)] } }, "low", "below"],
  [{ count: 7, where: { any: [] }, op: "lt" }, "none", "low", "tenths", "high", "below", "mixed"],
  [{ count: 1, where: { operator: "NOT", conditions: [scoreIs("exists", true)] } }, "none", "mixed"],
  [{ count: 1, where: scoreIs("eq", "50") }, "mixed"],
  [
    { count: 2, where: { field: "properties.at.x", op: "eq", value: 1 }, within: "1d", op: "eq" },
    "low",
    "high",
    "below",
  ],
  [{ sum: { property: "score", value: 3.5 }, op: "eq" }, "low"],
  [{ sum: { property: "properties.score", value: 1 }, op: "eq" }, "tenths"],
  [{ sum: { property: "score", value: 100.0001 } }, "high"],
  [{ sum: { property: "score", value: 100.0001 }, op: "gt" }],
  [{ sum: { property: "score", value: 7 }, op: "eq" }, "mixed"],
  [{ sum: { property: "score", value: 0 }, op: "lt" }, "below"],
  [{ sum: { property: "score", value: 0 }, op: "eq" }, "none"],
  [{ sum: { property: "score", value: 2.5 }, where: scoreIs("gt", 1), op: "eq" }, "low"],
  [{ sum: { property: "at.x", value: 2 }, op: "eq" }, "low", "high", "below"],
]
