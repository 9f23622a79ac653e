import type { InputIssue } from "@hearth/core"
import { type TestWorld, testWorld } from "@hearth/testing"
import { Cause, Effect, Exit, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"

// The voice of the schemas: `test/http/voice.test.ts` of the server holds their sentences to it.
const voice = /^(?:is required|must (?:be|have|not be|not have|begin|give) (?:[^A-Z"]|AND, OR)|may have only )/
const unspecific = /^must be (?:valid|a JSON value)$|expected|missing key|<filter>|undefined|null null/i

const canary = "canary-7c1f"
const probes: ReadonlyArray<unknown> = [
  ...[null, true, -1, 0.5, 1e15, "", "\u0000", canary, "x".repeat(10_001)],
  ...[[], [null], [{}], [canary], Array(2_000).fill("x"), {}, { [canary]: canary }, { x: null }],
]

type Path = ReadonlyArray<string | number>

/** Every path within a value. */
const pathsOf = (value: unknown, path: Path = []): ReadonlyArray<Path> => [
  path,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, Array.isArray(value) ? Number(key) : key]))
    : []),
]

/** The value with another one at a path; undefined leaves it out. */
const put = (value: unknown, [step, ...rest]: Path, given: unknown): unknown => {
  if (step === undefined) return given
  const copy = structuredClone(value) as Record<string | number, unknown>
  if (rest.length === 0 && given === undefined) delete copy[step]
  else copy[step] = put(copy[step], rest, given)
  return copy
}

/** What is good, and the same with something wrong at every place. */
const spoil = (good: unknown): ReadonlyArray<unknown> =>
  pathsOf(good).flatMap((path) =>
    [...probes, ...(typeof path.at(-1) === "string" ? [undefined] : [])].map((probe) => put(good, path, probe)),
  )

const user = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"
const sum = { property: "a", value: 1 }
const rules = (...conditions: ReadonlyArray<unknown>) => ({ operator: "AND", conditions })
const someRules = rules(
  { field: "properties.a", op: "gt", value: 1 },
  { field: "last_seen_at", op: "within", value: "7d" },
  { field: "timezone", op: "eq", value: "UTC" },
  { event: "a", op: "gte", count: 1, within: "7d", where: { field: "properties.b", op: "exists" } },
  { event: "a", sum },
  { operator: "NOT", conditions: [{ field: "xp.level", op: "lt", value: 2 }] },
)
const schedule = (config: unknown) => ({ name: "s", library_id: user, schedule_type: "daily_rotation", config })

const moderationConfigs = [
  ["keyword", { keywords: ["a"], match: "word", action: "flag" }],
  ["regex", { pattern: "a" }],
  ["link", { allow_domains: ["example.com"], deny_domains: null }],
] as const
const options = { sound: "s", badge: 1, image_url: "https://example.com/a.png", collapse_id: "c", ttl_seconds: 1 }
const push = { title: "t", body: "b", data: { a: 1 }, fire_at: "2026-03-02T12:00:00Z" }
const times = { delivery_mode: "absolute", scheduled_at: push.fire_at }
const campaign = { name: "n", title: "t", body: "b", data: { a: 1 }, options, segment_id: null, ...times }

describe("what parsers of the core say of an input", () => {
  let world: TestWorld
  let projectId: string
  let userId: string

  beforeAll(async () => {
    world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
    projectId = (await world.aProjectWithOwner()).projectId
    userId = (await world.aSignedInUser(projectId)).userId
  })

  type Call = (input: never) => Effect.Effect<unknown, unknown>
  const calls: ReadonlyArray<readonly [name: string, good: unknown, call: () => Call]> = [
    [
      "events",
      { events: [{ app_user_id: user, event_name: "a", event_id: "1", properties: {}, occurred_at: "2026-03-01" }] },
      () => (body) => world.core.events.record(projectId, body),
    ],
    [
      "own events",
      { event_name: "a", occurred_at: "2026-03-01" },
      () => (body) => world.core.events.recordOwn(projectId, userId, body),
    ],
    ["segments", someRules, () => (it) => world.core.segments.preview(projectId, { rules: it })],
    [
      "achievements",
      someRules,
      () => (criteria) => world.core.achievements.create(projectId, { key: "k", name: "a", criteria } as never),
    ],
    [
      "rewards",
      {
        reward: {
          currencies: { GOLD: 1 },
          xp: 1,
          items: [{ key: "a", quantity: 1 }],
          entitlements: [{ entitlement_id: "e", days: 1 }],
        },
      },
      () => (body) => world.core.rewards.give(projectId, userId, body, null),
    ],
    ...moderationConfigs.flatMap(([rule_type, config]) => [
      [
        `moderation: ${rule_type}`,
        config,
        () => (it: never) =>
          world.core.moderation.rules.create(projectId, { name: "r", rule_type, config: it } as never),
      ] as const,
      [
        `moderation, tried: ${rule_type}`,
        config,
        () => (it: never) => world.core.moderation.preview(projectId, { rule_type, config: it } as never),
      ] as const,
    ]),
    ["push campaigns", campaign, () => (body) => world.core.pushCampaigns.create(projectId, body)],
    ["push campaigns, tried", campaign, () => (body) => world.core.pushCampaigns.preview(projectId, body)],
    ["push campaigns, changed", campaign, () => (body) => world.core.pushCampaigns.update(projectId, user, body)],
    ["a push at a time", push, () => (body) => world.core.pushCampaigns.schedule(projectId, userId, body)],
    [
      "a push to try",
      { ...push, app_user_id: user, device_token: "t", provider: "push_a", options },
      () => (body) => world.core.pushCampaigns.test(projectId, body),
    ],
    [
      "bulk update",
      { user_ids: [user], updates: { properties: {}, add_segment_ids: [user], remove_segment_ids: [user] } },
      () => (body) => world.core.users.bulkUpdate(projectId, body),
    ],
    [
      "leaderboards",
      { metric: "custom", custom_event: "a:b" },
      () => (it: object) =>
        world.core.leaderboards.create(projectId, { name: "l", period: "all_time", max_entries: 1, ...it } as never),
    ],
    [
      "content schedules",
      schedule({ cron: "0 9 * * *", timezone: "UTC", include_authored: true }),
      () => (it) => world.core.content.schedules.create(projectId, it),
    ],
    [
      "currencies",
      { initial_balance: 1, max_balance: 2, auto_recharge_amount: 1, auto_recharge_interval_hours: 1 },
      () => (it: object) => world.core.currencies.create(projectId, { code: "GOLD", name: "g", ...it } as never),
    ],
  ]

  it.each(calls)("has one voice: %s", async (_, good, call) => {
    const found = new Set<string>()
    let issued = 0
    for (const bad of spoil(good)) {
      const exit = await world.run(Effect.exit(Effect.suspend(() => call()(bad as never))))
      const failure = Exit.isFailure(exit) ? Option.getOrNull(Cause.findErrorOption(exit.cause)) : null
      const { details, message } = (failure ?? {}) as {
        details?: { issues?: ReadonlyArray<InputIssue> }
        message?: string
      }
      for (const { path, message: said } of details?.issues ?? []) {
        issued += 1
        if (!voice.test(said) || unspecific.test(said) || said.includes(canary)) found.add(`${path}: ${said}`)
      }
      expect((message ?? "").length).toBeLessThan(2_000)
      expect(JSON.stringify(details ?? {}).length).toBeLessThan(30_000)
    }
    expect([...found]).toEqual([])
    expect(issued).toBeGreaterThan(5)
  })
})
