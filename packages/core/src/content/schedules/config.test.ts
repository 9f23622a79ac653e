import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { parseSchedule, readConfig, readRecurrence } from "./config.ts"
import type { ScheduleType } from "./schedule.ts"

describe("the config of a schedule", () => {
  test.each([
    ["daily_rotation", undefined, { cron: "0 9 * * *", timezone: "UTC" }],
    ["weekly", {}, { cron: "0 9 * * MON", timezone: "UTC" }],
    ["weekly", { cron: "30 7 * * 5" }, { cron: "30 7 * * 5", timezone: "UTC" }],
    ["daily_rotation", { timezone: "europe/berlin" }, { cron: "0 9 * * *", timezone: "europe/berlin" }],
    ["random", { cron: "* * * * *", other: 1 }, { cron: "* * * * *", timezone: "UTC" }],
    [
      ...(["sequential", { cron: "0 0 29 2 *", timezone: "Asia/Kathmandu", include_authored: true }] as const),
      { cron: "0 0 29 2 *", timezone: "Asia/Kathmandu", include_authored: true },
    ],
  ])("of %s, given as %j, is %j [I1.5]", (type, given, config) => {
    const parsed = Result.getOrThrow(parseSchedule(type, given))
    expect(readConfig(parsed)).toEqual(config)
    expect(readRecurrence({ ...parsed, is_active: true })).toEqual({ cron: config.cron, timezone: config.timezone })
    expect(readRecurrence({ ...parsed, is_active: false })).toBeNull()
  })

  test("keeps what was left out open, so that another type has its own default", () => {
    const { config } = Result.getOrThrow(parseSchedule("daily_rotation", {}))
    expect(config).toEqual({})
    expect(readConfig({ schedule_type: "weekly", config }).cron).toBe("0 9 * * MON")
  })

  test.each<[unknown, unknown, ReadonlyArray<string>]>([
    ["hourly", {}, ["schedule_type"]],
    ["toString", {}, ["schedule_type"]],
    ["Weekly", {}, ["schedule_type"]],
    [null, {}, ["schedule_type"]],
    [5, {}, ["schedule_type"]],
    ["random", {}, ["config.cron"]],
    ["sequential", undefined, ["config.cron"]],
    ["sequential", { timezone: "UTC" }, ["config.cron"]],
    ["weekly", { cron: "" }, ["config.cron"]],
    ["weekly", { cron: null }, ["config.cron"]],
    ["weekly", { cron: 5 }, ["config.cron"]],
    ["weekly", { cron: "0 9 * *" }, ["config.cron"]],
    ["weekly", { cron: "0 0 9 * * MON" }, ["config.cron"]],
    ["weekly", { cron: "0 0 30 2 *" }, ["config.cron"]],
    ["weekly", { cron: `${"0,".repeat(300)}0 9 * * *` }, ["config.cron"]],
    ["weekly", { timezone: "Mars/Olympus" }, ["config.timezone"]],
    ["weekly", { timezone: "+02:00" }, ["config.timezone"]],
    ["weekly", { timezone: "" }, ["config.timezone"]],
    ["weekly", { timezone: null }, ["config.timezone"]],
    ["weekly", { include_authored: "yes" }, ["config.include_authored"]],
    ["weekly", null, ["config"]],
    ["weekly", [], ["config"]],
    ["weekly", "0 9 * * *", ["config"]],
    ["x", { cron: "x", timezone: "x", include_authored: 1 }, ["schedule_type", "config.cron", "config.timezone"]],
  ])("of %j is not %j [I1.5]", (type, given, paths) => {
    const parsed = parseSchedule(type, given)
    const failure = Result.isFailure(parsed) ? parsed.failure : null
    expect(failure?.code).toBe("INVALID_SCHEDULE_CONFIG")
    const issues = failure?.details?.["issues"] as ReadonlyArray<{ readonly path: string }>
    expect(issues.map(({ path }) => path)).toEqual(expect.arrayContaining([...paths]))
  })
})

const types: ReadonlyArray<ScheduleType> = ["daily_rotation", "weekly", "random", "sequential"]

test.each(types)("%s is a type", (type) => {
  expect(Result.isSuccess(parseSchedule(type, { cron: "0 9 * * *" }))).toBe(true)
})
