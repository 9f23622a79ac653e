import { Result } from "effect"
import { describe, expect, it, test } from "vitest"
import { parseRules } from "./parse-rules.ts"
import { eventRules, mentionsStreaks } from "./rules.ts"
import { systemSegments } from "./system-segments.ts"

const definition = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"

interface Issue {
  readonly path: string
  readonly message: string
}

const issues = (rules: unknown): ReadonlyArray<Issue> => {
  const result = parseRules(rules)
  return Result.isSuccess(result) ? [] : (result.failure.details?.["issues"] as ReadonlyArray<Issue>)
}
const paths = (rules: unknown) => issues(rules).map(({ path }) => path)
const and = (...conditions: ReadonlyArray<unknown>) => ({ operator: "AND", conditions })
const deep = (groups: number, leaf: unknown): object => and(groups === 1 ? leaf : deep(groups - 1, leaf))
const leaf = { field: "email", op: "exists" }
const long = (length: number) => "x".repeat(length)

describe("rules [E6]", () => {
  test.each<readonly [string, unknown]>([
    ["nothing in AND", and()],
    ["nothing in OR", { operator: "OR", conditions: [] }],
    ["one rule in NOT", { operator: "NOT", conditions: [leaf] }],
    ["five groups in each other", deep(5, leaf)],
    ["50 leaves", and(...Array(50).fill(leaf))],
    ["200 groups", and(...Array(199).fill(and()))],
    ["the longest field", and({ field: `properties.${long(501)}`, op: "exists" })],
    ["the longest text", and({ field: "properties.a", op: "eq", value: long(1000) })],
    ["the longest event", and({ event: long(255), op: "gte", count: 1_000_000_000, within: "36500d" })],
    ["an empty text", and({ field: "email", op: "contains", value: "" })],
    ["keys that look inherited", and({ field: "properties.__proto__.constructor", op: "eq", value: 1 })],
    ["dots in the id of an entitlement", and({ field: "entitlements.a.b.", op: "eq", value: true })],
  ])("may have %s", (_, rules) => expect(parseRules(rules)).toEqual(Result.succeed(rules)))

  it("of the system segments are valid", () => {
    for (const { rules } of systemSegments) expect(parseRules(rules)).toEqual(Result.succeed(rules))
  })

  it("ignore unknown keys, and drop values that have no meaning", () => {
    const { op, field } = leaf
    const given = { ...and({ ...leaf, value: true, note: 1 }, { ...leaf, value: null }), system: true }
    expect(parseRules(given)).toEqual(Result.succeed(and({ op, field }, { op, field })))
    const event = { event: "e", op: "eq", count: 0 }
    expect(parseRules(and({ ...event, within: null, value: 1 }))).toEqual(Result.succeed(and(event)))
  })

  test.each<readonly [string, unknown, ...paths: ReadonlyArray<string>]>([
    ["null", null, "rules"],
    ["a list", [and()], "rules"],
    ["text", "AND", "rules"],
    ["nothing in it", {}, "rules"],
    ["a leaf at the root", leaf, "rules"],
    ["a leaf about events at the root", { event: "e", op: "eq", count: 1 }, "rules"],
    ["what it inherits", Object.create(and()), "rules"],
    ["an operator in lower case", { operator: "and", conditions: [] }, "rules.operator"],
    ["an operator that is null", { operator: null, conditions: [] }, "rules.operator"],
    ["no conditions", { operator: "AND" }, "rules.conditions"],
    ["conditions in an object", { operator: "OR", conditions: { 0: leaf } }, "rules.conditions"],
    ["nothing in NOT", { operator: "NOT", conditions: [] }, "rules.conditions"],
    ["two rules in NOT", { operator: "NOT", conditions: [leaf, leaf] }, "rules.conditions"],
    ["six groups in each other", deep(6, leaf), `rules${".conditions.0".repeat(5)}`],
    ["51 leaves", and(...Array(51).fill(leaf)), "rules"],
    ["51 leaves in groups", and(and(...Array(30).fill(leaf)), and(...Array(21).fill(leaf))), "rules"],
    ["201 groups", and(...Array(200).fill(and())), "rules"],
    ["nodes that are none", and(null, 1, "x", []), ...[0, 1, 2, 3].map((at) => `rules.conditions.${at}`)],
    ["a group that is a rule", and({ ...and(), ...leaf }), "rules.conditions.0"],
    ["a rule about a field and events", and({ ...leaf, event: "e" }), "rules.conditions.0"],
    [
      "several faults",
      and({ field: "x", op: "y" }, { event: 1, op: 1, count: "1", within: 1 }),
      "rules.conditions.0.field",
      "rules.conditions.0.op",
      ...["event", "op", "count", "within"].map((key) => `rules.conditions.1.${key}`),
    ],
  ])("may not be %s", (_, rules, ...expected) => expect(paths(rules)).toEqual(expected))

  it.each([leaf, { event: "e", count: 1 }, {}, null])("say how to begin where the root is no group: %j", (rules) => {
    const message = "must be a group: all or any with a list of rules, or operator and conditions"
    expect(issues(rules)).toEqual([{ path: "rules", message }])
  })

  it("list at most a hundred issues", () => {
    expect(paths(and(...Array(100_000).fill(null)))).toHaveLength(100)
    expect(paths(and(...Array(100_000).fill(leaf)))).toEqual(["rules"])
    const sparse: Array<unknown> = []
    sparse.length = 2 ** 32 - 1
    expect(paths(and(...[{ operator: "AND", conditions: sparse }]))).toHaveLength(100)
  })

  it("do not repeat the input", () => {
    const secret = "s3cr3t"
    const all = issues(and({ field: secret, op: secret, value: secret }, { event: 1, op: secret, count: secret }))
    expect(JSON.stringify(all)).not.toContain(secret)
  })
})

describe("fields", () => {
  test.each([
    "password_hash",
    "properties",
    "properties.",
    "properties..a",
    "properties.a.",
    "properties.a..b",
    "Properties.a",
    "entitlements",
    "entitlements.",
    "streaks",
    `streaks.${definition}`,
    `streaks.${definition}.longest_count`,
    `streaks.${definition}.current_count.x`,
    "streaks.x.current_count",
    "xp",
    "xp.",
    "xp.total.x",
    "xp.highest_total",
    "currencies",
    "currencies.",
    "auth_providers.0",
    "auth_providers.provider",
    "email.x",
    "EMAIL",
    " email",
    "",
    "__proto__",
    "constructor",
    "properties.a\u0000",
    "properties.\ud800",
    `properties.${long(502)}`,
    null,
    1,
    ["email"],
  ])("are not %j", (field) => expect(paths(and({ field, op: "exists" }))).toEqual(["rules.conditions.0.field"]))

  test.each<readonly [field: string, valid: Readonly<Record<string, unknown>>]>([
    ["email", { eq: "a", contains: "a", exists: true }],
    ["auth_providers", { contains: "idp_a", exists: null }],
    [
      "created_at",
      {
        eq: "2026-01-01",
        gt: "2026-01-01",
        gte: "2026-01-01",
        lt: "2026-01-01",
        lte: "2026-01-01",
        within: "7d",
        exists: undefined,
      },
    ],
    ["is_disabled", { eq: true, exists: true }],
    ["entitlements.pro", { eq: false, exists: true }],
    ["currencies.GOLD", { eq: 1, gt: 1.5, gte: -1, lt: 0, lte: 1e308, exists: true }],
    ["xp.total", { eq: 1, gt: 1.5, gte: -1, lt: 0, lte: 1e308, exists: true }],
    [`streaks.${definition}.current_count`, { eq: 1, gt: 1.5, gte: -1, lt: 0, lte: 1e308, exists: true }],
    ["properties.a", { eq: "a", gt: 1, gte: "2026-01-01", lt: 1, lte: 1, contains: 1, within: "30m", exists: true }],
  ])("%s has its operators, their complements and no others", (field, valid) => {
    const complements: Readonly<Record<string, string>> = {
      neq: "eq",
      not_contains: "contains",
      not_exists: "exists",
      not_within: "within",
    }
    const positive = ["eq", "gt", "gte", "lt", "lte", "contains", "within", "exists"]
    for (const op of [...positive, ...Object.keys(complements)]) {
      const asked = complements[op] ?? op
      const found = paths(and({ field, op, value: valid[asked] }))
      expect(found, op).toEqual(asked in valid ? [] : ["rules.conditions.0.op"])
    }
    for (const op of ["", "EQ", "in", "not", "toString", "__proto__", null, 1, undefined]) {
      expect(paths(and({ field, op, value: 1 })), String(op)).toEqual(["rules.conditions.0.op"])
    }
  })
})

describe("values", () => {
  const notScalar = [
    undefined,
    null,
    [],
    ["a"],
    {},
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    "\u0000",
    "\ud800",
    long(1001),
  ]
  const notInstant = [
    ...notScalar,
    true,
    "",
    "today",
    "2026-02-29",
    "2026-01-01T00:00:00",
    "10000-01-01",
    "9999-12-31T23:00:00-02:00",
  ]
  test.each<readonly [field: string, op: string, bad: ReadonlyArray<unknown>]>([
    ["email", "eq", [...notScalar, 1, true]],
    ["email", "contains", [...notScalar, 1, true]],
    ["auth_providers", "contains", [...notScalar, 1]],
    ["created_at", "eq", [...notInstant, 1]],
    ["created_at", "lte", [...notInstant, 1]],
    ["is_disabled", "neq", [...notScalar, 1, "true"]],
    ["entitlements.pro", "eq", [...notScalar, 0, "true"]],
    [`streaks.${definition}.current_count`, "gt", [...notScalar, "1", true]],
    ["properties.a", "eq", notScalar],
    ["properties.a", "not_contains", notScalar],
    ["properties.a", "gte", notInstant],
    ["properties.a", "exists", [false, 1, "true", []]],
    [
      "properties.a",
      "not_within",
      [
        undefined,
        null,
        7,
        "",
        "7",
        "d",
        "0d",
        "07d",
        "7D",
        "7 d",
        "-7d",
        "7.5d",
        "7d ",
        "7w",
        "36501d",
        "876001h",
        "99999999m",
      ],
    ],
  ])("of %s %s", (field, op, bad) => {
    for (const value of bad) {
      expect(paths(and({ field, op, value })), String(value)).toEqual(["rules.conditions.0.value"])
    }
  })

  it("of rules about events", () => {
    const event = { event: "e", op: "eq", count: 1 }
    const faults: ReadonlyArray<readonly [key: string, values: ReadonlyArray<unknown>]> = [
      ["event", [null, 1, "", long(256), "\u0000", "\ud800"]],
      ["op", [null, "contains", "exists", "within", "EQ"]],
      ["count", [undefined, null, "1", -1, 0.5, 1_000_000_001, Number.NaN, true]],
      ["within", ["", "7", 7, "36501d", true, []]],
    ]
    for (const [key, values] of faults) {
      for (const value of values) {
        expect(paths(and({ ...event, [key]: value })), `${key} ${value}`).toEqual([`rules.conditions.0.${key}`])
      }
    }
  })
})

describe("the forms that achievements share [G1.1]", () => {
  const parsed = (rules: unknown) => Result.getOrThrow(parseRules(rules))
  const count = { event: "e", op: "gte", count: 1 }
  const easy = { field: "properties.level", op: "eq", value: "easy" }

  it("reads all and any as AND and OR", () => {
    expect(parsed({ all: [{ any: [leaf] }, and(leaf), { operator: "NOT", conditions: [{ all: [] }] }] })).toEqual(
      and({ operator: "OR", conditions: [leaf] }, and(leaf), { operator: "NOT", conditions: [and()] }),
    )
  })

  it("compares events by gte where op is left out", () => {
    expect(parsed(and({ event: "e", count: 1 }))).toEqual(and(count))
  })

  it("sums a property in place of a count", () => {
    for (const property of ["score", "a.b", "properties.score"]) {
      const sum = { property, value: 10.25 }
      expect(parsed(and({ event: "e", sum: { ...sum, note: 1 }, count: null }))).toEqual(
        and({ event: "e", op: "gte", sum }),
      )
    }
  })

  it("reads where as a tree, or as a single rule", () => {
    expect(parsed(and({ ...count, where: { any: [easy] } }))).toEqual(
      and({ ...count, where: { operator: "OR", conditions: [easy] } }),
    )
    expect(parsed(and({ ...count, where: easy }))).toEqual(and({ ...count, where: and(easy) }))
    expect(parsed(and({ ...count, where: null, sum: null }))).toEqual(and(count))
  })

  it("names the fields that there are: those of users, and in where those of the event", () => {
    const [ofUser] = issues(and({ field: "level", op: "eq", value: 1 }))
    expect(ofUser?.message).toMatch(
      /^must be id, email, .*properties\.<name>, .* or streaks\.<definition id>\.current_count$/,
    )
    const [ofEvent] = issues(and({ ...count, where: { field: "level", op: "eq", value: 1 } }))
    expect(ofEvent?.message).toBe("must be a property of the event, like properties.a")
  })

  test.each<readonly [string, unknown, ...paths: ReadonlyArray<string>]>([
    ["all and any at once", { all: [], any: [] }, "rules"],
    ["all beside operator", and({ ...and(), all: [] }), "rules.conditions.0"],
    ["all of no list", { all: { 0: leaf } }, "rules.all"],
    ["what is wrong in all", { all: [{ any: [{ field: "x", op: "exists" }] }] }, "rules.all.0.any.0.field"],
    ["a count and a sum", and({ ...count, sum: { property: "a", value: 1 } }), "rules.conditions.0.sum"],
    ["neither count nor sum", and({ event: "e" }), "rules.conditions.0.count"],
    ["a sum of no object", and({ event: "e", sum: 5 }), "rules.conditions.0.sum"],
    [
      "a sum of nothing",
      and({ event: "e", sum: {} }),
      "rules.conditions.0.sum.property",
      "rules.conditions.0.sum.value",
    ],
    ...["", ".", "a..b", "a.", "properties.", 1, null, "x".repeat(512), "\u0000"].map(
      (property) =>
        [
          `a sum of ${JSON.stringify(property)}`,
          and({ event: "e", sum: { property, value: 1 } }),
          "rules.conditions.0.sum.property",
        ] as const,
    ),
    ...["1", null, Number.NaN, Number.POSITIVE_INFINITY, 0.00001, 900_000_000_001, -900_000_000_001, true].map(
      (value) =>
        [
          `a sum that is compared with ${value}`,
          and({ event: "e", sum: { property: "a", value } }),
          "rules.conditions.0.sum.value",
        ] as const,
    ),
    ["where of no tree", and({ ...count, where: 5 }), "rules.conditions.0.where"],
    ["where about the user", and({ ...count, where: and(leaf) }), "rules.conditions.0.where.conditions.0.field"],
    ["where about events", and({ ...count, where: { all: [count] } }), "rules.conditions.0.where.all.0"],
    ["an unknown operator in where", and({ ...count, where: { ...easy, op: "like" } }), "rules.conditions.0.where.op"],
    ["where that is too deep", deep(5, { ...count, where: and(easy) }), `rules${".conditions.0".repeat(5)}.where`],
    ["51 leaves with those of where", and(...Array(17).fill({ ...count, where: and(easy, easy) })), "rules"],
    [
      "201 groups with those of where",
      and(...Array(40).fill({ ...count, where: and(and(), and(), and(), and()) })),
      "rules",
    ],
  ])("may not be %s", (_, rules, ...expected) => expect(paths(rules)).toEqual(expected))

  it("counts depth, leaves and groups across where", () => {
    expect(paths(deep(4, { ...count, where: and(easy) }))).toEqual([])
    expect(paths(deep(5, { ...count, where: easy }))).toEqual([])
    expect(paths(and(...Array(16).fill({ ...count, where: and(easy, easy) })))).toEqual([])
  })
})

describe("a tree", () => {
  it("lists its rules about events, and knows whether it depends on streaks", () => {
    const [one, two] = [
      { event: "a", op: "eq", count: 1 },
      { event: "b", op: "gt", count: 0, within: "1d" },
    ]
    const streak = { field: `streaks.${definition}.current_count`, op: "exists" }
    const rules = Result.getOrThrow(parseRules(and(one, { operator: "NOT", conditions: [and(leaf, two)] })))
    expect(eventRules(rules)).toEqual([one, two])
    expect(mentionsStreaks(rules)).toBe(false)
    expect(mentionsStreaks(Result.getOrThrow(parseRules(and(and(leaf, streak)))))).toBe(true)
  })
})
