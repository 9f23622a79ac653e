import { aStreakDefinition } from "@hearth/testing"
import { describe, expect, it, test } from "vitest"
import { dayKey } from "../time/periods.ts"
import type { StreakDefinition } from "./definition.ts"
import { foldEvents } from "./fold-events.ts"
import { beginFold, newRun } from "./run.ts"
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
  foldEvents(definition, beginFold(newRun(definition), []), events, now)

describe("counting events in their order", () => {
  const shown = (definition: StreakDefinition, ...events: ReadonlyArray<QualifyingEventRow>) =>
    foldAll(definition, events)?.periods.map(({ period_key, kind, count_after }) => [period_key, kind, count_after])

  it("makes a period of the first event of a day", () => {
    const folded = foldAll(aStreakDefinition(), [at(1), at(5), at(30)])
    expect(folded?.periods.map(({ period_key, occurred_at }) => [period_key, occurred_at])).toEqual([
      ["2001-01-01", at(1).occurred_at],
      ["2001-01-02", at(30).occurred_at],
    ])
    expect(folded?.last_done_at).toEqual(at(30).occurred_at)
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
    expect(foldEvents(definition, { run: missed, waiting: [] }, [at(50)], now)).toBeNull()
    expect(foldEvents(definition, { run: missed, waiting: [] }, [at(80)], now)?.fold.run.count).toBe(1)
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
