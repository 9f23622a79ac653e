import { manualClock, manualTimers } from "@hearth/testing"
import { Clock, Effect } from "effect"
import { expect, it } from "vitest"
import { compileRules } from "./compile-rules.ts"
import { parseConfig } from "./parse-config.ts"
import type { Patterns } from "./patterns.ts"

it("leaves the process to others for as long as a long match took", async () => {
  const clock = manualClock()
  const timers = manualTimers(clock)
  const matchApart = () =>
    Effect.sync(() => {
      clock.advance(100)
      return []
    })
  const group = { bytes: 0, steps: 3_000, match: () => [], matchApart }
  const patterns: Patterns = { findFault: () => null, compile: () => [group] }
  const config = Effect.runSync(Effect.fromResult(parseConfig("regex", { pattern: "a" }, patterns)))
  const rules = await Effect.runPromise(compileRules([{ id: "rule", config }], { clock, patterns }, (turn) => turn))
  let isMatched = false
  const reading = Effect.tap(rules.match({ texts: ["a".repeat(20_000)], urls: [] }), () =>
    Effect.sync(() => {
      isMatched = true
    }),
  )
  const matched = Effect.runPromise(Effect.provideService(reading, Clock.Clock, timers.effectClock))
  await expect.poll(() => timers.nextDueAt()).toEqual(new Date(clock.now().getTime() + 100))
  clock.advance(99)
  expect([timers.fireDue(), isMatched]).toEqual([0, false])
  clock.advance(1)
  timers.fireDue()
  expect(await matched).toBeNull()
})
