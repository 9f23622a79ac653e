import type { ServerConfig } from "../config.ts"
import { makeApiClient } from "./api-client.ts"
import { findService } from "./find-service.ts"
import { makeProgressBar } from "./progress-bar.ts"
import { type Outcome, replay } from "./replay.ts"

const shown = 10

const streaks = (outcomes: ReadonlyArray<Outcome>): string =>
  outcomes
    .toSorted((a, b) => b.daily - a.daily || b.weekly - a.weekly)
    .slice(0, shown)
    .map(
      ({ expected, daily, weekly }) => `  ${expected.user}  ${String(daily).padStart(5)} ${String(weekly).padStart(7)}`,
    )
    .join("\n")

const levels = (outcomes: ReadonlyArray<Outcome>): string =>
  outcomes
    .toSorted((a, b) => b.xp - a.xp)
    .slice(0, shown)
    .map(({ expected, xp, level }) => `  ${expected.user}  ${String(xp).padStart(6)}  ${level}`)
    .join("\n")

/** Replays a real history into the running service, or one that is started for it. Answers whether everything was counted right. */
export const runDemo = async (config: ServerConfig): Promise<boolean> => {
  const service = await findService(config)
  console.log(
    `\nReplaying ten years of commits into ${service.found ? "the running" : "a freshly started"} service at ${service.origin}\n`,
  )
  const began = performance.now()
  const bar = (label: string, total: number) => makeProgressBar(process.stdout, label, total)
  const { account, project, inserted, outcomes, matching, week } = await replay(makeApiClient(service.origin), bar)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`\n${inserted} events of ${outcomes.length} authors in ${seconds} s. The longest streaks:\n`)
  console.log("  author        days   weeks")
  console.log(streaks(outcomes))
  console.log("\nThe most XP:\n\n  author          XP  level")
  console.log(levels(outcomes))
  console.log(
    `\n${outcomes.filter(({ hasUnlocked }) => hasUnlocked).length} authors have unlocked "A hundred commits".`,
  )
  console.log(`\nThe week of ${week.monday.slice(0, 10)}, by XP:\n\n  rank  author          XP`)
  for (const { user, rank, score } of week.entries.slice(0, shown))
    console.log(`  ${String(rank).padStart(4)}  ${user}  ${String(score).padStart(6)}`)
  console.log(
    `\n${matching} of ${outcomes.length} authors have the longest daily and weekly streaks, and the XP, that they should have.`,
  )
  console.log(`\nProject ${project.id} of ${account.email} (password ${account.password}).\n`)
  await service.stop()
  return matching === outcomes.length && week.isRight
}
