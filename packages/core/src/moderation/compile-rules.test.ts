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

const linkRules = (configs: ReadonlyArray<object>) => {
  const patterns: Patterns = { findFault: () => null, compile: () => [] }
  const ready = configs.map((config, at) => ({
    id: `${at}`,
    config: Effect.runSync(Effect.fromResult(parseConfig("link", config, patterns))),
  }))
  return Effect.runPromise(compileRules(ready, { clock: manualClock(), patterns }, (turn) => turn))
}

it("tells the strongest rule about a link, of equals the older [I6.1]", async () => {
  const rules = await linkRules([
    { allow_domains: ["a.com", "b.com"] },
    { deny_domains: ["x.b.com", "b.com"] },
    { deny_domains: ["a.com"], action: "hold" },
    { deny_domains: ["b.com"], allow_domains: ["a.com", "b.com"] },
  ])
  const match = async (text: string) =>
    (await Effect.runPromise(rules.match({ texts: [text], urls: [] })))?.rule_id ?? null
  expect(await match("https://c.com")).toBe("0")
  expect(await match("https://y.x.b.com")).toBe("1")
  expect(await match("https://www.a.com and https://c.com")).toBe("2")
  expect(await match("no link")).toBeNull()
  const any = await linkRules([{ allow_domains: ["a.com"] }, {}])
  expect((await Effect.runPromise(any.match({ texts: ["www.a.com"], urls: [] })))?.rule_id).toBe("1")
})

it("counts the domains of link rules among what it holds", async () => {
  const list = (letter: string) => Array.from({ length: 1_000 }, (_, at) => `${letter.repeat(50)}${at}.com`)
  const [none, one, two] = await Promise.all([
    linkRules([]),
    linkRules([{ deny_domains: list("a") }]),
    linkRules([{ deny_domains: list("a") }, { allow_domains: list("b") }]),
  ])
  expect(one.bytes - none.bytes).toBeGreaterThan(100_000)
  expect(two.bytes - one.bytes).toBeGreaterThan(100_000)
})
