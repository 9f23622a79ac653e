import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Figure } from "../bench/harness/figure.ts"
import { printFindings } from "./harness.ts"

const vitest = new URL("../node_modules/vitest/vitest.mjs", import.meta.url).pathname
const root = new URL("..", import.meta.url).pathname

/** What is read of a report. */
interface Report {
  readonly numPassedTests?: number
  readonly numFailedTests?: number
  readonly testResults?: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{
      readonly fullName: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

const listFailures = ({ testResults = [] }: Report): ReadonlyArray<string> =>
  testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ fullName, failureMessages }) =>
      failureMessages.map((message) => `${fullName}: ${message.slice(0, 500)}`),
    ),
  )

/** How many tests of some files pass. What fails is printed. */
const runTests = async (
  project: string,
  files: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly passed: number; readonly failed: number }> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-faults-"))
  const file = join(folder, "report.json")
  const options = ["--project", project, "--reporter=json", `--outputFile.json=${file}`]
  const child = spawn(process.execPath, [vitest, "run", ...options, ...files], {
    cwd: root,
    env: { ...process.env, ...environment, NO_COLOR: "1" },
    stdio: "ignore",
  })
  await once(child, "exit")
  const report: Report = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
  rmSync(folder, { recursive: true, force: true })
  printFindings("failed", listFailures(report))
  return { passed: report.numPassedTests ?? 0, failed: report.numFailedTests ?? 1 }
}

/** What a test that kills has to show. */
interface KillTest {
  readonly name: string
  readonly file: string
  readonly holds: string
  readonly bound: string
}

const killTests: ReadonlyArray<KillTest> = [
  {
    name: "kill -9 of API, worker and embedded database under ingest",
    file: "packages/server/test/faults/killed-server.test.ts",
    holds: "0 lost, 0 doubled, 0 never sent (I1); streaks equal to the log (I2); others untouched (I8)",
    bound: "0, 0, 0; equal; untouched",
  },
  {
    name: "kill -9 of service and database while XP, unlocks, boards and payments are written",
    file: "packages/server/test/faults/killed-progress.test.ts",
    holds: "XP, unlocks, boards and levels equal to the log; each payment once; 0 differences, 0 mismatches",
    bound: "equal; once; 0; 0",
  },
  {
    name: "kill -9 of service and database while apps start, keep and end sessions",
    file: "packages/server/test/faults/killed-sessions.test.ts",
    holds: "each acknowledged session once, with one start and one end told; active days equal to the log",
    bound: "once, one, one; equal",
  },
]

/** The cycles of the tests that kill API, worker and embedded database while they write. */
export const kill = async (cycles: number): Promise<ReadonlyArray<Figure>> => {
  const figures: Array<Figure> = []
  for (const { name, file, holds, bound } of killTests) {
    const { passed, failed } = await runTests("server", [file], { HEARTH_FAULT_CYCLES: String(cycles) })
    const measured = failed === 0 ? holds : `${failed} of the invariants do not hold`
    figures.push({ name: `${name}, ${cycles} cycles`, measured, bound, kept: failed === 0 && passed > 0 })
  }
  return figures
}

/** Rounds of races between those who add, send and remove files and folders. */
export const media = async (rounds: number): Promise<ReadonlyArray<Figure>> => {
  const file = "packages/server/test/media/races.test.ts"
  const { passed, failed } = await runTests("server", [file], { HEARTH_MEDIA_RACES: String(rounds) })
  return [
    {
      name: `Files and folders that are added, sent and removed at once, ${rounds} rounds`,
      measured:
        failed === 0 ? "whole or gone, none lost; quotas hold; the sum is that of the rows" : `${failed} do not hold`,
      bound: "whole or gone; hold; equal",
      kept: failed === 0 && passed > 0,
    },
  ]
}

/** The tests that kill a worker at the steps of its work. */
export const steps = async (rounds: number): Promise<ReadonlyArray<Figure>> => {
  let [passed, failed] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    for (const [project, file] of [
      ["server", "packages/server/test/faults/killed-worker.test.ts"],
      ["adapters", "packages/adapters/test/queue/killed-worker.test.ts"],
    ] as const) {
      const found = await runTests(project, [file])
      passed += found.passed
      failed += found.failed
    }
  }
  return [
    {
      name: "Workers killed before the writes, in the commit, next to another worker, and in a run of the queue",
      measured: `${passed} handled once by another worker, ${failed} not`,
      bound: "all, 0",
      kept: failed === 0 && passed > 0,
    },
  ]
}

/** Workers that are killed at every so many steps of sending a campaign. */
export const campaigns = async (stride: number): Promise<ReadonlyArray<Figure>> => {
  const file = "packages/server/test/faults/killed-campaign.test.ts"
  const { passed, failed } = await runTests("server", [file], { HEARTH_FAULT_STEPS: String(stride) })
  return [
    {
      name: `Workers killed while they send a campaign, at every ${stride}. message to its database, and in the call`,
      measured:
        failed === 0
          ? "each campaign ends; each device asked for at most once; else unknown (I5)"
          : `${failed} do not hold`,
      bound: "ends; at most once; unknown",
      kept: failed === 0 && passed > 0,
    },
  ]
}
