import { aStreakDefinition } from "@hearth/testing"
import { describe, expect, it, test } from "vitest"
import { dayKey } from "../time/periods.ts"
import { localDay } from "../time/zones.ts"
import type { StreakDefinition } from "./definition.ts"
import { foldEvents } from "./fold-events.ts"
import { beginFold, newRun } from "./run/run.ts"
import type { QualifyingEventRow } from "./streak-rows.ts"

const hour = 3_600_000
const start = Date.UTC(2001, 0, 1)
const now = new Date("2026-03-01T12:00:00.000Z")

const at = (hours: number, events = 1): QualifyingEventRow => {
  const occurred_at = new Date(start + hours * hour)
  const key = { app_user_id: "user", streak_definition_id: "definition" }
  return {
    ...key,
    occurred_at,
    day: dayKey(Math.floor(occurred_at.getTime() / (24 * hour))),
    zone: null,
    events,
    counted_at: now,
  }
}

const foldAll = (definition: StreakDefinition, events: ReadonlyArray<QualifyingEventRow>) =>
  foldEvents(definition, beginFold(newRun(definition), []), null, events, now)

describe("counting events in their order", () => {
  const shown = (definition: StreakDefinition, ...events: ReadonlyArray<QualifyingEventRow>) =>
    foldAll(definition, events)?.periods.map(({ period_key, kind, count_after }) => [period_key, kind, count_after])

  it("makes a period of the first event of a day", () => {
    const folded = foldAll(aStreakDefinition(), [at(1), at(5), at(30)])
    expect(folded?.periods.map(({ period_key, occurred_at }) => [period_key, occurred_at])).toEqual([
      ["2001-01-01", at(1).occurred_at],
      ["2001-01-02", at(30).occurred_at],
    ])
    expect(folded?.done).toEqual({ at: at(30).occurred_at, zone: "UTC" })
  })

  it("counts events of one instant for as many days as their grace reaches, and no more", () => {
    const definition = aStreakDefinition({ grace_period_hours: 30 })
    expect(shown(definition, at(12), at(79, 9))).toEqual([
      ["2001-01-01", "done", 1],
      ["2001-01-04", "done", 1],
    ])
    expect(shown(definition, at(12), at(50, 9))).toEqual([
      ["2001-01-01", "done", 1],
      ["2001-01-02", "done", 2],
      ["2001-01-03", "done", 3],
    ])
  })

  it("says that a run was settled further than where an event came in time", () => {
    const definition = aStreakDefinition({ grace_period_hours: 30 })
    const run = foldAll(definition, [at(12)])?.fold.run ?? newRun(definition)
    const missed = { ...run, count: 0, settled: (run.last ?? 0) + 1 }
    expect(foldEvents(definition, { run: missed, waiting: [] }, null, [at(50)], now)).toBeNull()
    expect(foldEvents(definition, { run: missed, waiting: [] }, null, [at(80)], now)?.fold.run.count).toBe(1)
  })
})

describe("a day that is over early because its user has moved to the east [facts 2e, 6]", () => {
  const zoned = (instant: string, zone: string | null): QualifyingEventRow => {
    const occurred_at = new Date(instant)
    return { ...at(0), occurred_at, day: dayKey(localDay(occurred_at, zone)), zone }
  }
  const [honolulu, angeles, tokyo] = ["Pacific/Honolulu", "America/Los_Angeles", "Asia/Tokyo"]
  const rules = aStreakDefinition()
  const frozen = aStreakDefinition({ freeze_enabled: true, max_freezes: 1 })
  const graced = aStreakDefinition({ grace_period_hours: 6 })
  // A Monday evening in Los Angeles.
  const monday = zoned("2026-06-02T03:00:00Z", angeles)
  const counted = (definition: StreakDefinition, ...events: ReadonlyArray<QualifyingEventRow>) => {
    const folded = foldAll(definition, events)
    const shown = folded?.periods.map(({ period_key, kind }) => `${period_key.slice(-2)} ${kind}`)
    return [folded?.fold.run.count, folded?.fold.run.freezes, ...(shown ?? [])]
  }

  it.each([
    ["of the day after it", "2026-06-02T23:00:00Z", 2],
    ["at the end of the day after it", "2026-06-03T14:59:00Z", 2],
    ["of the second day after it", "2026-06-03T15:00:00Z", 1],
  ])("is not missed: an event %s goes on", (_, instant, count) => {
    const day = instant < "2026-06-03T15" ? "03" : "04"
    expect(counted(rules, monday, zoned(instant, tokyo))).toEqual([count, 0, "01 done", `${day} done`])
  })

  it("takes no freeze", () => {
    expect(counted(frozen, monday, zoned("2026-06-02T23:00:00Z", tokyo))).toEqual([2, 1, "01 done", "03 done"])
  })

  it("is missed where 48 hours have passed since the last event", () => {
    const first = zoned("2026-06-01T00:30:00Z", null)
    const countOf = (instant: string) => counted(rules, first, zoned(instant, "Europe/Berlin"))[0]
    expect(["2026-06-02T22:30:00Z", "2026-06-03T00:29:59Z", "2026-06-03T00:30:00Z"].map(countOf)).toEqual([2, 2, 1])
  })

  it.each([
    ["in the same zone", angeles],
    ["in a zone with the same time", "America/Vancouver"],
    ["in a zone to the west", honolulu],
  ])("is missed %s", (_, zone) => {
    const instant = zone === honolulu ? "2026-06-03T10:30:00Z" : "2026-06-03T07:30:00Z"
    expect(counted(rules, monday, zoned(instant, zone))).toEqual([1, 0, "01 done", "03 done"])
  })

  it("is done by an event in its grace, and only the day after that is left out", () => {
    expect(counted(graced, monday, zoned("2026-06-02T20:00:00Z", tokyo))).toEqual([2, 0, "01 done", "02 done"])
    expect(counted(graced, monday, zoned("2026-06-03T20:00:00Z", tokyo))).toEqual([2, 0, "01 done", "03 done"])
  })

  it("is left out once: the days after it have to be done", () => {
    const [wednesday, thursday] = [zoned("2026-06-02T23:00:00Z", tokyo), zoned("2026-06-03T23:00:00Z", tokyo)]
    expect(counted(rules, monday, wednesday, thursday)[0]).toBe(3)
    expect(counted(rules, monday, wednesday, zoned("2026-06-04T16:00:00Z", tokyo))[0]).toBe(1)
  })

  it("has to be counted from an earlier run where it was settled as missed", () => {
    const run = foldAll(rules, [monday])?.fold.run ?? newRun(rules)
    const missed = { ...run, count: 0, settled: (run.last ?? 0) + 1 }
    const [done, next] = [{ at: monday.occurred_at, zone: angeles }, zoned("2026-06-02T23:00:00Z", tokyo)]
    expect(foldEvents(rules, { run: missed, waiting: [] }, done, [next], now)).toBeNull()
    expect(foldEvents(rules, { run: missed, waiting: [] }, null, [next], now)?.fold.run.count).toBe(1)
  })
})

describe("the work of counting", () => {
  const rules: ReadonlyArray<[name: string, rules: Partial<StreakDefinition>]> = [
    ["days", {}],
    ["days with a long grace", { grace_period_hours: 8_760 }],
    ["days with freezes and grace", { freeze_enabled: true, max_freezes: 1_000, grace_period_hours: 30 }],
    ["weeks with earned freezes", { period: "weekly", freeze_enabled: true, freezes_per_n_events: 2 }],
  ]
  const gaps: ReadonlyArray<[name: string, hours: number]> = [
    ["every day", 24],
    ["every other day", 48],
    ["every hour", 1],
    ["every ten days", 240],
  ]
  const every = rules.flatMap(([of, given]) => gaps.map(([name, hours]) => [of, name, given, hours] as const))

  // Each step asks the rules something.
  const countSteps = (given: Partial<StreakDefinition>, count: number, gap: number) => {
    let steps = 0
    const definition = new Proxy(aStreakDefinition(given), {
      get: (target, name) => {
        steps += 1
        return Reflect.get(target, name)
      },
    })
    foldAll(
      definition,
      Array.from({ length: count }, (_, index) => at(index * gap)),
    )
    return steps
  }

  test.each(every)("of %s, %s, grows with the events and not with their square", (_, __, given, gap) => {
    const [some, more] = [countSteps(given, 1_000, gap), countSteps(given, 2_000, gap)]
    expect(more).toBeLessThan(2.2 * some)
    expect(more).toBeLessThan(2_000 * 200)
  })
})
