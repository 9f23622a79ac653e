import { Exit, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { changeLimits, limitedFeatures, mergeLimits, ProjectLimitChanges, ProjectLimits } from "./project-limits.ts"

const isRead = (schema: Schema.Codec<unknown, unknown>, value: unknown) =>
  Exit.isSuccess(Schema.decodeUnknownExit(schema)(value))

describe("the limits of a project [I0.1]", () => {
  it.each([
    {},
    { groups: {} },
    { groups: { per_minute: 1 } },
    { groups: { per_day: 1_000_000 }, media: { per_minute: 5, per_day: 6 } },
    Object.fromEntries(limitedFeatures.map((name) => [name, { per_minute: 1 }])),
  ])("can be %j", (limits) => {
    expect([isRead(ProjectLimits, limits), isRead(ProjectLimitChanges, limits)]).toEqual([true, true])
  })

  it.each<unknown>([
    null,
    [],
    7,
    "none",
    { nonsense: { per_minute: 1 } },
    { Groups: { per_minute: 1 } },
    { toString: { per_minute: 1 } },
    { groups: 7 },
    { groups: [] },
    { groups: { per_minute: 0 } },
    { groups: { per_minute: -1 } },
    { groups: { per_minute: 1.5 } },
    { groups: { per_minute: "1" } },
    { groups: { per_day: 1_000_001 } },
    { groups: { per_day: true } },
  ])("cannot be %j", (limits) => {
    expect([isRead(ProjectLimits, limits), isRead(ProjectLimitChanges, limits)]).toEqual([false, false])
  })

  it.each([{ groups: null }, { groups: { per_minute: null } }, { groups: { per_minute: 5, per_day: null } }])(
    "can be changed by %j, which clears",
    (changes) => {
      expect([isRead(ProjectLimits, changes), isRead(ProjectLimitChanges, changes)]).toEqual([false, true])
    },
  )

  const both = { per_minute: 5, per_day: 50 }
  it.each([
    ["a feature that is added", {}, { groups: both }, { groups: both }],
    ["features that are left out", { groups: both }, { media: both }, { groups: both, media: both }],
    ["a key that is left out", { groups: both }, { groups: { per_day: 9 } }, { groups: { per_minute: 5, per_day: 9 } }],
    ["a feature that is cleared", { groups: both, media: both }, { groups: null }, { media: both }],
    ["a key that is cleared", { groups: both }, { groups: { per_minute: null } }, { groups: { per_day: 50 } }],
    ["the last key that is cleared", { groups: { per_day: 5 } }, { groups: { per_day: null } }, {}],
    ["a feature with nothing", {}, { groups: {} }, {}],
    ["nothing", { groups: both }, {}, { groups: both }],
  ])("change: %s", (_, limits, changes, expected) => {
    expect(changeLimits(limits, changes)).toStrictEqual(expected)
  })

  const service = [
    { points: 600, seconds: 60 },
    { points: 20_000, seconds: 86_400 },
    { points: 9, seconds: 1 },
  ]
  it.each([
    ["nothing", undefined, [600, 20_000, 9]],
    ["a minute", { per_minute: 1 }, [20_000, 9, 1]],
    ["a day", { per_day: 7 }, [600, 9, 7]],
    ["both", { per_minute: 1, per_day: 7 }, [9, 1, 7]],
  ])("in the place of the service's own: %s", (_, given, points) => {
    expect(mergeLimits(service, given).map((limit) => limit.points)).toEqual(points)
  })

  it("hold where the service has none", () => {
    expect(mergeLimits([], { per_minute: 3 })).toEqual([{ points: 3, seconds: 60 }])
  })
})
