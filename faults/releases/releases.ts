import { existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Figure } from "../../bench/harness/figure.ts"
import { startProgressClients } from "../../packages/server/test/faults/clients/progress-clients.ts"
import { type Api, apiAt } from "../../packages/server/test/harness/api.ts"
import { aProject } from "../../packages/server/test/harness/fixtures.ts"
import { launch, type RunningProcess } from "../../packages/server/test/harness/process.ts"
import { startFcmServer } from "../../packages/test-services/src/push/index.ts"
import { printFindings, waitUntil, withHarness } from "../harness.ts"
import { areDaysKept, check, countWaiting, define, type Watched } from "./checks.ts"
import { openServers, type Servers, startEverydayClients } from "./clients.ts"
import { checkNewFeatures, listenAcross, useNewFeatures } from "./newer.ts"

/** The checkout of the earlier release, with its packages installed. */
const checkout = process.env["HEARTH_EARLIER"]

const executable = (of: "server" | "worker") => {
  const [js, ts] = [`packages/${of}/main.js`, `packages/${of}/src/main.ts`].map((path) => join(checkout ?? "", path))
  return existsSync(js ?? "") ? (js ?? "") : (ts ?? "")
}

type Environment = Readonly<Record<string, string>>

const launchServer = async (environment: Environment) => {
  const started = launch(executable("server"), { environment: { PORT: "0", TRUST_PROXY: "1", ...environment } })
  const [, url = ""] = await started.says(/API +(\S+)\/v1/)
  return { ...started, url, api: apiAt(() => url) }
}

const launchWorker = async (environment: Environment) => {
  const started = launch(executable("worker"), { environment })
  await started.says(/worker started/)
  return started
}

/** Takes a server from the proxy, and ends it when what came through it is answered. */
const retire = async ({ urls }: Servers, server: RunningProcess & { readonly url: string }) => {
  urls.splice(urls.indexOf(server.url), 1)
  await wait(500)
  await server.end("SIGTERM")
}

// What is sent is to be handled meanwhile by all who could.
const betweenCallsMillis = 50
const unhurried = (api: Api): Api => ({
  ...api,
  call: async (...args) => {
    await wait(betweenCallsMillis)
    return api.call(...args)
  },
})

const errorsOf = (running: RunningProcess) =>
  `${running.output()}\n${running.errors()}`
    .split("\n")
    .filter((line) => line.includes('"level":"error"'))
    .map((line) => line.slice(0, 400))

/**
 * An earlier release and this one on one database: the earlier alone, this one beside it, each of them gone for a while, the earlier
 * back again. Each of the six phases takes so many seconds.
 */
export const releases = async (seconds: number): Promise<ReadonlyArray<Figure>> => {
  if (checkout === undefined) {
    console.log(
      "  releases: skipped. HEARTH_EARLIER names a checkout of an earlier release, with its packages installed.",
    )
    return []
  }
  return withHarness(async (harness) => {
    const { environment: given, sql } = await harness.database({ maxConnections: 300 })
    const redis = await harness.redis()
    const provider = await startFcmServer()
    const limits = { LIMIT_FEATURE_WRITES: "1000000 per minute, 100000000 per day" }
    const environment = { ...given, ...limits, REDIS_URL: redis.url, PUSH_B_URL: provider.url }
    const servers = openServers()
    const { api, urls } = servers
    const earlier: Array<RunningProcess> = []
    const watch = async (): Promise<Watched> => {
      const project = await aProject(api)
      const boards = await define(api, project)
      const progress = await startProgressClients(unhurried(api), project, 6)
      return { project, boards, progress, everyday: await startEverydayClients(servers, project, boards) }
    }
    const phase = async (name: string) => {
      console.log(`  releases: ${name}`)
      await wait(seconds * 1_000)
    }
    try {
      const old = await launchServer(environment)
      const oldWorker = await launchWorker(environment)
      earlier.push(old, oldWorker)
      urls.push(old.url)
      const watched = [await watch()]
      await phase("the earlier release alone")

      const present = await harness.server(environment)
      const worker = await harness.worker(environment)
      urls.push(present.url)
      watched.push(await watch())
      const newer = await useNewFeatures(present.api, provider)
      await phase("both")
      const heardAfter = await listenAcross(old.api, present.url)

      await oldWorker.end("SIGTERM")
      await phase("the earlier server with the worker of this release")
      await retire(servers, old)
      watched.push(await watch())
      await phase("this release alone")

      const again = await launchServer(environment)
      const workerAgain = await launchWorker(environment)
      earlier.push(again, workerAgain)
      urls.push(again.url)
      await phase("the earlier release is back")
      const missed = await checkNewFeatures(sql, provider, newer)
      await retire(servers, present)
      await worker.end("SIGTERM")
      await phase("rolled back")
      const last = await harness.server(environment)
      const lastWorker = await harness.worker(environment)
      urls.push(last.url)
      await retire(servers, again)
      await workerAgain.end("SIGTERM")
      for (const { progress, everyday } of watched) await Promise.all([progress.stop(), everyday.stop()])
      for (const { project } of watched)
        await waitUntil("everything handled", 180_000, async () => (await countWaiting(sql, project)).waiting === 0)

      const findings: Array<string> = []
      // The newer reactions look at the past two minutes after the last older worker was seen.
      for (const { project } of watched)
        await waitUntil("active days", 300_000, () => areDaysKept(sql, project)).catch((error) =>
          findings.push(`${error}`),
        )
      for (const each of watched) findings.push(...(await check(sql, last.api, each)))
      const faults = [...servers.faults].map(([what, times]) => `${times} × ${what}`)
      const errors = [...earlier, present, worker, last, lastWorker].flatMap(errorsOf)
      printFindings("not as the log says", findings)
      printFindings("new features", missed)
      printFindings("not announced", faults)
      printFindings("error in a log", [...new Set(errors)])
      const events = watched.reduce((sum, { progress }) => sum + progress.told.events.size, 0)
      const calls = servers.answered()
      const what = `${calls} calls, ${events} events`
      console.log(
        `  releases: ${what}; ${servers.refused()} × 503 with Retry-After; streams after ${Math.round(heardAfter)} ms`,
      )
      const figure = (name: string, found: ReadonlyArray<string>): Figure => ({
        ...{ name: `An earlier release and this one at once, ${what}: ${name}` },
        ...{ measured: `${found.length}`, bound: "0", kept: found.length === 0 },
      })
      return [
        figure("what is not as the log says", findings),
        figure("what new features missed or did twice", missed),
        figure("calls that failed unannounced", faults),
      ]
    } finally {
      await Promise.all(earlier.map((each) => each.end("SIGKILL")))
      await provider.stop()
    }
  })
}
