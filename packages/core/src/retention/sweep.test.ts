import { manualClock } from "@hearth/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { makeSweep } from "./sweep.ts"

const day = 86_400_000

/** Rows by their instants, swept after ten days. */
const setUp = (startAt: string, rows: Array<Date>) => {
  const clock = manualClock(startAt)
  const calls: Array<readonly [Date, number]> = []
  const sweep = makeSweep<Array<Date>>(
    { clock },
    {
      name: "rows.remove-old",
      keepDays: 10,
      port: (db) => ({
        removeOld: (before, limit) =>
          Effect.sync(() => {
            calls.push([before, limit])
            const passed = db.filter((at) => at < before).slice(0, limit)
            for (const at of passed) db.splice(db.indexOf(at), 1)
            return passed.length
          }),
        oldest: () => Effect.sync(() => db.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null),
      }),
    },
  )
  return {
    clock,
    calls,
    run: () => Effect.runSync(sweep.runNext(rows)),
    next: () => Effect.runSync(sweep.nextRunAt(rows)),
  }
}

it("is due at the full minute after the oldest row has passed [I0.3]", () => {
  const rows = [new Date("2026-03-02T12:00:00.000Z"), new Date("2026-03-01T12:00:00.001Z")]
  const { next, run, clock } = setUp("2026-03-11T12:00:00.000Z", rows)
  expect(next()).toEqual(new Date("2026-03-11T12:01:00.000Z"))
  expect([run(), rows.length]).toEqual([false, 2])
  clock.advance("1 minute")
  expect([run(), rows.length]).toEqual([false, 1])
  expect(next()).toEqual(new Date("2026-03-12T12:00:00.000Z"))
})

it("removes at its time what is exactly that old, and nothing that is younger [I0.3]", () => {
  const at = Date.parse("2026-03-11T12:00:00.000Z")
  const rows = [new Date(at - 10 * day), new Date(at - 10 * day + 1)]
  const { next, run } = setUp("2026-03-11T12:00:00.000Z", rows)
  expect(next()).toEqual(new Date(at))
  run()
  expect(rows).toEqual([new Date(at - 10 * day + 1)])
})

it("removes a thousand at a time, until there are no more [I0.3]", () => {
  const rows = Array.from({ length: 2_000 }, (_, n) => new Date(n))
  const { run, calls, next } = setUp("2026-03-11T12:00:00.000Z", rows)
  expect([run(), rows.length, run(), rows.length, run()]).toEqual([true, 1_000, true, 0, false])
  expect(calls.map(([, limit]) => limit)).toEqual([1_000, 1_000, 1_000])
  expect(next()).toBeNull()
})
