import type { Figure } from "../bench/harness/figure.ts"
import { requests, tenants } from "./generated.ts"
import { overload } from "./overload.ts"
import { races } from "./races.ts"
import { recovery } from "./recovery.ts"
import { releases } from "./releases/releases.ts"
import { exportMemory, loginTiming } from "./reused.ts"
import { campaigns, kill, media, steps } from "./tests.ts"

interface Run {
  /** What runs in CI. */
  readonly count: number
  readonly unit: string
  readonly run: (count: number) => Promise<ReadonlyArray<Figure>>
}

const runs: Readonly<Record<string, Run>> = {
  requests: { count: 10_000, unit: "requests", run: requests },
  kill: { count: 30, unit: "cycles", run: kill },
  steps: { count: 1, unit: "rounds", run: steps },
  campaigns: { count: 12, unit: "steps from kill to kill; 1 is every step", run: campaigns },
  media: { count: 20, unit: "rounds", run: media },
  races: { count: 500, unit: "rounds", run: races },
  recovery: { count: 1, unit: "rounds", run: recovery },
  tenants: { count: 10_000, unit: "probes", run: tenants },
  login: { count: 60, unit: "attempts each", run: loginTiming },
  overload: { count: 10, unit: "seconds", run: overload },
  releases: { count: 30, unit: "seconds per phase", run: releases },
  exports: { count: 100_000, unit: "users", run: exportMemory },
}

const [name, given] = process.argv.slice(2)
const isCount = given === undefined || Number(given) >= 1
if ((name !== undefined && runs[name] === undefined) || !isCount) {
  console.error("Usage: test:faults [name [count]]. The names, and what they count:")
  for (const [known, { count, unit }] of Object.entries(runs)) console.error(`  ${known} (${count} ${unit})`)
  process.exit(2)
}

const figures: Array<Figure> = []
for (const [each, { count, run }] of Object.entries(runs)) {
  if (name !== undefined && each !== name) continue
  for (const figure of await run(given === undefined ? count : Number(given))) {
    figures.push(figure)
    console.log(`${figure.kept ? "ok  " : "MISS"} ${figure.name}: ${figure.measured}; ${figure.bound}`)
  }
}
console.log("\n| Figure | Measured | Bound | Kept |\n|---|---|---|---|")
for (const { name: title, measured, bound, kept } of figures)
  console.log(`| ${title} | ${measured} | ${bound} | ${kept ? "yes" : "**no**"} |`)
process.exit(figures.every(({ kept }) => kept) ? 0 : 1)
