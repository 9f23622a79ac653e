import type { Figure } from "../bench/harness/figure.ts"
import { openRacingServers } from "../packages/server/test/auth/account-races.ts"
import { printFindings, withHarness } from "./harness.ts"

// A run that takes longer ends early and says how far it came.
const mostMillis = 20 * 60_000

/** Races over two API processes on one database: as many rounds, taken in turns from all kinds. */
export const races = (rounds: number): Promise<ReadonlyArray<Figure>> =>
  withHarness(async (harness) => {
    // All users come from this machine, and long runs need many of them.
    const racing = await openRacingServers(harness, { LIMIT_SIGN_IN: "1000000 per minute" })
    try {
      const kinds = Object.entries(racing.races)
      const violations = new Map<string, Array<string>>(kinds.map(([kind]) => [kind, []]))
      const counts = new Map<string, number>()
      const end = performance.now() + mostMillis
      let done = 0
      for (let round = 0; round < rounds && performance.now() < end; round += 1) {
        const [kind, race] = kinds[round % kinds.length] ?? []
        if (kind === undefined || race === undefined) continue
        done += 1
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
        violations.get(kind)?.push(...(await race().catch((error: unknown) => [String(error)])))
      }
      for (const [kind, found] of violations) printFindings(kind, found)
      const wrong = [...violations.values()].flat().length
      return [
        {
          name: `Race rounds over two API processes, ${done} (${[...counts].map(([kind, count]) => `${kind} ${count}`).join(", ")})`,
          measured: `${wrong} violations`,
          bound: "0",
          kept: done >= rounds && wrong === 0,
        },
      ]
    } finally {
      await racing.close()
    }
  })
