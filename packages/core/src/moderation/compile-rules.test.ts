import { Effect } from "effect"
import { expect, it } from "vitest"
import { compileRules } from "./compile-rules.ts"
import { parseConfig } from "./parse-config.ts"
import type { Patterns } from "./patterns.ts"

const clock = { now: () => new Date() }

/** Waits without letting anybody else have a turn. */
const keepBusy = (millis: number) => {
  const until = Date.now() + millis
  while (Date.now() < until);
}

it("leaves the process to others for as long as a long match took", async () => {
  const match = () => {
    keepBusy(100)
    return []
  }
  const patterns: Patterns = { findFault: () => null, compile: () => [{ bytes: 0, steps: 3_000, match }] }
  const config = Effect.runSync(Effect.fromResult(parseConfig("regex", { pattern: "a" }, patterns)))
  const rules = await Effect.runPromise(compileRules([{ id: "rule", config }], { clock, patterns }, (turn) => turn))
  const begun = Date.now()
  await Effect.runPromise(rules.match({ texts: ["a".repeat(20_000)], urls: [] }))
  expect(Date.now() - begun).toBeGreaterThanOrEqual(195)
})
