import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { cpus, totalmem } from "node:os"
import { achievementsReaction } from "./events/achievements.ts"
import { effects } from "./events/effects.ts"
import { fanOut } from "./events/fan-out.ts"
import { ingest } from "./events/ingest.ts"
import { leaderboard } from "./events/leaderboard.ts"
import { reactions } from "./events/reactions.ts"
import { tail } from "./events/tail.ts"
import type { Figure } from "./harness/figure.ts"
import { requests } from "./harness/requests.ts"
import { emptyDataDir, removeDataDir, type Service, startService } from "./harness/service.ts"
import { analytics } from "./reach/analytics.ts"
import { exports } from "./reach/exports.ts"
import { pushCampaign } from "./reach/push-campaign.ts"
import { pushGateway } from "./reach/push-gateway.ts"
import { subscriptions } from "./reach/subscriptions.ts"
import { webhooks, webhooksInProcess } from "./reach/webhooks.ts"
import { consolePages } from "./service/console.ts"
import { consoleLive } from "./service/console-live.ts"
import { idle } from "./service/idle.ts"
import { idleProjects } from "./service/idle-projects.ts"
import { largeBodies } from "./service/large-bodies.ts"
import { besideBacklogs, besideSchedules, besideSegments } from "./service/neighbours.ts"
import { peers } from "./service/peers.ts"
import { roundTrips } from "./service/round-trips.ts"
import { starts } from "./service/starts.ts"
import { thousandProjects } from "./service/thousand-projects.ts"
import { world } from "./service/world.ts"
import { content } from "./social/content.ts"
import { feeds } from "./social/feeds.ts"
import { media } from "./social/media.ts"
import { messages } from "./social/messages.ts"
import { moderation } from "./social/moderation.ts"
import { busyStreams, idleStreams } from "./social/streams.ts"
import { bulkUpdate } from "./users/bulk-update.ts"
import { currencies, currenciesInProcess } from "./users/currencies.ts"
import { segments } from "./users/segments.ts"
import { signIn } from "./users/sign-in.ts"

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
  "large-bodies": withService(largeBodies),
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
  neighbours: async () => [
    ...(await withService(besideBacklogs)()),
    ...(await withService(besideSegments)()),
    ...(await withService(besideSchedules)()),
  ],
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
