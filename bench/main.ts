import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { cpus, totalmem } from "node:os"
import { achievementsReaction } from "./achievements.ts"
import { analytics } from "./analytics.ts"
import { bulkUpdate } from "./bulk-update.ts"
import { consolePages } from "./console.ts"
import { consoleLive } from "./console-live.ts"
import { content } from "./content.ts"
import { currencies, currenciesInProcess } from "./currencies.ts"
import { effects } from "./effects.ts"
import { exports } from "./exports.ts"
import { fanOut } from "./fan-out.ts"
import { feeds } from "./feeds.ts"
import type { Figure } from "./harness/figure.ts"
import { requests } from "./harness/requests.ts"
import { emptyDataDir, removeDataDir, type Service, startService } from "./harness/service.ts"
import { idle } from "./idle.ts"
import { idleProjects } from "./idle-projects.ts"
import { ingest } from "./ingest.ts"
import { leaderboard } from "./leaderboard.ts"
import { media } from "./media.ts"
import { messages } from "./messages.ts"
import { moderation } from "./moderation.ts"
import { peers } from "./peers.ts"
import { pushCampaign } from "./push-campaign.ts"
import { pushGateway } from "./push-gateway.ts"
import { reactions } from "./reactions.ts"
import { roundTrips } from "./round-trips.ts"
import { segments } from "./segments.ts"
import { signIn } from "./sign-in.ts"
import { starts } from "./starts.ts"
import { busyStreams, idleStreams } from "./streams.ts"
import { subscriptions } from "./subscriptions.ts"
import { tail } from "./tail.ts"
import { thousandProjects } from "./thousand-projects.ts"
import { webhooks, webhooksInProcess } from "./webhooks.ts"
import { world } from "./world.ts"

const withService = (measure: (service: Service) => Promise<ReadonlyArray<Figure>>) => async () => {
  const service = await startService(emptyDataDir())
  try {
    return await measure(service)
  } finally {
    await service.stop()
    removeDataDir(service.dataDir)
  }
}

const benchmarks: Readonly<Record<string, () => Promise<ReadonlyArray<Figure>>>> = {
  peers: withService(peers),
  ingest: withService(ingest),
  reactions,
  achievements: achievementsReaction,
  effects: withService(effects),
  "fan-out": fanOut,
  "bulk-update": bulkUpdate,
  content,
  moderation,
  currencies: async () => [...(await currenciesInProcess()), ...(await withService(currencies)())],
  messages,
  streams: async () => [...(await idleStreams()), ...(await busyStreams())],
  "push-gateway": pushGateway,
  "push-campaign": pushCampaign,
  "round-trips": roundTrips,
  webhooks: async () => [...(await webhooksInProcess()), ...(await withService(webhooks)())],
  requests: withService(requests),
  "sign-in": withService(signIn),
  segments,
  leaderboard,
  feeds,
  analytics,
  subscriptions,
  exports: withService(exports),
  media: withService(media),
  tail: withService(tail),
  starts,
  world,
  idle,
  "idle-projects": idleProjects,
}

/** Those that take minutes and gigabytes, or a browser: they run only when they are named. */
const byHand: typeof benchmarks = {
  "thousand-projects": thousandProjects,
  console: withService(consolePages),
  "console-live": withService(consoleLive),
}

const page = (figures: ReadonlyArray<Figure>): string => `# Performance

Every figure is measured against its bound in the same run, in turns where it is a ratio, on the embedded database.
The absolute numbers are of this run's machine: ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}.

| Figure | Measured | Bound | Kept |
|---|---|---|---|
${figures.map(({ name, measured, bound, kept }) => `| ${name} | ${measured} | ${bound} | ${kept ? "yes" : "**no**"} |`).join("\n")}

Measured with \`npx -y pnpm@12 bench --write\`; a part of it with \`bench ingest\` (${Object.keys(benchmarks).join(", ")}).
`

const all = { ...benchmarks, ...byHand }
const options = ["--write", "--list"]
const given = process.argv.slice(2)
if (!given.every((argument) => Object.hasOwn(all, argument) || options.includes(argument))) {
  console.error(
    `Usage: bench [--write] [--list] [name …]. Without names, all but the last ${Object.keys(byHand).length} of these:`,
  )
  for (const name of Object.keys(all)) console.error(`  ${name}`)
  process.exit(2)
}
const names = given.filter((argument) => !options.includes(argument))
const figures: Array<Figure> = []
for (const [name, measure] of Object.entries(all)) {
  if (names.length > 0 ? !names.includes(name) : name in byHand) continue
  // Flushes what the benchmark before has written, so that it does not slow this one.
  spawnSync("sync")
  for (const figure of await measure()) {
    figures.push(figure)
    console.log(`${figure.kept ? "ok  " : "MISS"} ${figure.name}: ${figure.measured}; ${figure.bound}`)
  }
}
if (process.argv.includes("--write")) {
  writeFileSync(new URL("../docs/performance.md", import.meta.url), page(figures))
}
