import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { periodKey } from "../../time/periods.ts"
import type { StreakDefinition } from "../definition.ts"
import { type Walk, walkPeriods } from "./walk-periods.ts"

const definition: StreakDefinition = {
  id: "definition",
  name: "Lessons",
  description: null,
  qualifying_event: "lesson",
  period: "daily",
  grace_period_hours: 0,
  freeze_enabled: true,
  max_freezes: 3,
  freezes_per_n_events: 2,
  created_at: new Date(0),
}

const key = (index: number) => periodKey("daily", index)

const done = (index: number, count_after: number) => ({
  app_user_id: "user",
  streak_definition_id: definition.id,
  period_key: key(index),
  kind: "done" as const,
  occurred_at: new Date(index * 86_400_000),
  count_after,
  freezes_after: 0,
})

const grantBefore = (index: number) => ({
  id: `grant-${index}`,
  app_user_id: "user",
  streak_definition_id: definition.id,
  from_period: key(index),
  count: 1,
  granted_at: new Date(index * 86_400_000),
})

const isPeriod = (step: object): step is { readonly index: number } => "index" in step

/** The steps of the last `count` periods, and what is after them. */
const lastOf = (steps: ReadonlyArray<object>, count: number) => {
  const periods = steps.filter(isPeriod)
  const from = periods.at(-count)
  return from === undefined ? steps : steps.slice(steps.indexOf(from))
}

describe("a walk over periods", () => {
  it("is as short as what is wanted where nothing happened for a thousand years", () => {
    const first = -600_000
    const walk: Walk = {
      ...{ definition, rows: [done(first, 1)], frozen: [], grants: [grantBefore(-1_000)], open: 20_000 },
      ...{ settled: 19_999, through: 20_000, wanted: 90 },
    }
    const steps = walkPeriods(walk)
    expect(steps.length).toBeLessThan(100)
    expect(
      lastOf(steps, 90)
        .filter(isPeriod)
        .map(({ index }) => index),
    ).toEqual(Array.from({ length: 90 }, (_, at) => 19_911 + at))
    expect(steps).toContainEqual(expect.objectContaining({ kind: "granted", count: 1 }))
  })

  it("has the same last periods as a walk through all", () => {
    const days = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 8 })
    fc.assert(
      fc.property(days, days, days, fc.integer({ min: 1, max: 30 }), (did, froze, granted, wanted) => {
        const rows = did
          .toSorted((a, b) => a - b)
          .map((index, at, all) => done(index, all[at - 1] === index - 1 ? 2 : 1))
        const frozen = froze.filter((index) => !did.includes(index))
        const walk = { definition, rows, frozen, grants: granted.map(grantBefore), open: 58, settled: 57, through: 60 }
        const all = walkPeriods({ ...walk, wanted: Number.POSITIVE_INFINITY })
        expect(lastOf(walkPeriods({ ...walk, wanted }), wanted)).toEqual(lastOf(all, wanted))
      }),
    )
  })
})
