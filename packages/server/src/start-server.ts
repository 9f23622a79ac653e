import { join } from "node:path"
import {
  checkSecretKeys,
  type EmbeddedDatabase,
  type Log,
  loadSecretKeys,
  loadTokenKeys,
  readOrCreateSecretKeys,
  readOrCreateTokenKeys,
  secretKeyFile,
  startEmbeddedDatabase,
  startWorker,
  watchClock,
} from "@hearth/adapters"
import type { Engagement } from "@hearth/core"
import {
  checkProjectDatabases,
  countSignals,
  registerBackingMetrics,
  requireAnswer,
  type StopStep,
  takeStopSteps,
  waitForStart,
} from "@hearth/worker"
import { Effect } from "effect"
import { collectDefaultMetrics, Registry } from "prom-client"
import { composeServer, type ServerKeys, type ServerParts } from "./compose.ts"
import type { ServerConfig } from "./config.ts"
import { readDevelopmentProjects } from "./development-projects.ts"
import { type AppOptions, createApp } from "./http/app.ts"
import { listen } from "./http/listen.ts"
import { countRefusedLoad } from "./http/system/metrics.ts"
import { routeGroups } from "./routes/index.ts"
import { version } from "./version.ts"
import { startRefusalWriter } from "./write-refusals.ts"

// A whole stop must take less than the ten seconds that supervisors and containers allow.
const drainMillis = 5_000

/** A running service. */
export interface RunningServer {
  /** Where the API is, without `/v1`. */
  readonly url: string
  /** Where the embedded database keeps its data; null without one. */
  readonly dataDir: string | null
  /** What an operator should know about this start. */
  readonly notes: ReadonlyArray<string>
  /** Stops in order: no more calls, no more work, then queue, connections and the embedded database. */
  stop(): Promise<void>
}

const readKeys = ({ dataDir, jwtKeys, secretKeys }: ServerConfig): Promise<ServerKeys> =>
  Effect.runPromise(
    Effect.all({
      tokens: jwtKeys === null ? readOrCreateTokenKeys(dataDir) : loadTokenKeys(jwtKeys),
      secrets: secretKeys === null ? readOrCreateSecretKeys(dataDir) : loadSecretKeys(secretKeys),
    }),
  )

const makeApp = (
  parts: ServerParts,
  config: ServerConfig,
  own: Required<Pick<AppOptions<Engagement>, "registry" | "log" | "stopping" | "noteRefused">>,
) =>
  createApp({
    groups: routeGroups,
    core: parts.core,
    access: parts.core.access,
    limiter: parts.limits.limiter,
    countWrite: ({ project_id, user_id }, feature) => parts.core.limits.userWrite(project_id, user_id, feature),
    ...own,
    databases: {
      controlAnswers: parts.postgres.ping(),
      isTimeout: (defect) => parts.postgres.tenants.faultOf(defect) === "timeout",
    },
    trustProxy: config.trustProxy,
    publicUrl: config.publicUrl,
    files: parts.core.media.files,
    fileOrigins: parts.fileOrigins,
    makeRequestId: () => parts.ids.uuid(),
    checks: [
      { dependency: "control-database", find: requireAnswer(parts.postgres.takesWrites()) },
      // Deaf, what others revoke holds here a second later than it could.
      {
        dependency: "notifications",
        find: Effect.sync(() => ({ status: parts.postgres.revocations.isHearing() ? "ok" : "degraded" })),
      },
      // Events wait in the outbox for as long as the queue is away: reactions are later, and nothing is lost.
      { dependency: "queue", find: requireAnswer(parts.queue.ping()), otherwise: "degraded" },
      checkProjectDatabases(parts.postgres.schemas),
    ],
    // These need no credential: they are for the developer on this machine, never for production [B11].
    ...(config.databaseUrl === null && parts.mail.outbox !== null ? { outbox: parts.mail.outbox } : {}),
    ...(parts.push.kept === null ? {} : { pushes: parts.push.kept }),
    ...(config.databaseUrl === null ? { projects: readDevelopmentProjects(parts.postgres.control) } : {}),
    keySet: () => parts.tokens.keySet(),
    version,
  })

/** Starts everything, and notes in `steps` how each is stopped. */
const startParts = async (
  config: ServerConfig,
  log: Log,
  steps: Array<StopStep>,
  stopping: AbortSignal,
): Promise<Omit<RunningServer, "stop">> => {
  let embedded: EmbeddedDatabase | null = null
  if (config.databaseUrl === null) {
    const report = (sentence: string) => log("warn", sentence)
    embedded = await startEmbeddedDatabase({ dataDir: config.dataDir, signal: stopping, report })
    steps.push({ what: "embedded database", byMillis: 9_300, stop: embedded.stop })
  }
  stopping.throwIfAborted()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const url = config.databaseUrl ?? embedded?.url ?? ""
  const keys = await readKeys(config)
  const parts = await composeServer(config, url, keys, log, countSignals(registry, log))
  steps.push({ what: "connections", byMillis: 7_500, stop: parts.close })
  stopping.throwIfAborted()
  const clocks = await watchClock(parts.postgres.readClock, log)
  steps.push({ what: "clock", byMillis: 6_500, stop: async () => clocks.stop() })
  const place = config.secretKeys === null ? join(config.dataDir, secretKeyFile) : "SECRETS_KEY"
  await checkSecretKeys(parts.core.background, { place, forgetsLost: config.forgetsLostSecrets }, log)
  registerBackingMetrics(registry, { ...parts, clocks })
  if (config.databaseUrl !== null && config.mail.smtpUrl === null) {
    log("warn", "No mail is sent: SMTP_URL is not set. Magic links reach nobody.")
  }
  const refusals = startRefusalWriter(parts.core.refusals, log)
  steps.push({ what: "refused calls", byMillis: 6_500, stop: refusals.stop })
  const worker = embedded === null ? null : await startWorker(parts.core.background, parts.queue, log)
  if (worker !== null) steps.push({ what: "worker", byMillis: 6_000, stop: worker.drain })
  const late = new AbortController()
  const { port, host } = config
  const own = { registry, log, stopping: late.signal, noteRefused: refusals.note }
  const listening = await listen(makeApp(parts, config, own), {
    ...{ port, host, drainMillis },
    makeRequestId: () => parts.ids.uuid(),
    load: { onRefused: countRefusedLoad(registry) },
    onLate: () => late.abort(),
  })
  const stopListening = async () => {
    // The worker ends at the same time, in a step of its own.
    void worker?.drain().catch(() => {})
    // They would be waited for: each ends with an event that says so, and its client goes on elsewhere.
    parts.core.live.stop()
    await listening.close()
  }
  steps.push({ what: "listener", byMillis: drainMillis + 500, stop: stopListening })
  // Only now: the service answers while the databases of a thousand projects are brought up to date.
  parts.postgres.schemas.start()
  return { url: listening.url, dataDir: embedded?.dataDir ?? null, notes: embedded?.notes ?? [] }
}

/**
 * Starts the service; and with the embedded database also the database and the worker, in this process [F1]. When `stopping` is
 * aborted during the start, what has been started is stopped, and it rejects.
 */
export const startServer = async (
  config: ServerConfig,
  log: Log,
  stopping: AbortSignal = new AbortController().signal,
): Promise<RunningServer> => {
  const steps: Array<StopStep> = []
  const stop = () => takeStopSteps(steps.splice(0).reverse(), log)
  try {
    const started = await waitForStart(startParts(config, log, steps, stopping), stopping)
    return { ...started, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
