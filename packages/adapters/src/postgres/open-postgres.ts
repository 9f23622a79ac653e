import type { Clock, ControlDb, ControlPlane, News, Revocations, TenantDb, Tenants } from "@hearth/core"
import { Effect } from "effect"
import { type ConnectionSettings, connect, urlOf } from "./connections/connection.ts"
import {
  type ConnectionFigures,
  type ConnectionLimits,
  type LineFigures,
  makeConnections,
} from "./connections/connections.ts"
import { clockQuestion, makeProbe } from "./connections/probe.ts"
import { refusePooler } from "./connections/refuse-pooler.ts"
import { pooledStatements } from "./connections/statements.ts"
import { warnOfServer } from "./connections/warn-of-server.ts"
import { whileStarting } from "./connections/while-starting.ts"
import { makeAvailability, makeControlPlane } from "./control-plane.ts"
import { type OpenNews, openNews } from "./news/news.ts"
import { newsChannel } from "./news/payloads.ts"
import { notifyStatement } from "./revocations/listener.ts"
import { type OpenRevocations, openRevocations } from "./revocations/revocations.ts"
import {
  controlDatabaseOf,
  ensureControlDatabase,
  maintenanceDatabase,
  migrateControl,
} from "./schema/control-database.ts"
import { openSchemas } from "./schema/open-schemas.ts"
import { readShapes, type Schema } from "./schema/schema.ts"
import { controlSchema, tenantSchema } from "./schema/schemas.ts"
import type { OnProgress, OnWarning, SchemaWatch } from "./schema/watch-schemas.ts"
import { makeTenants, warnMillis } from "./tenants.ts"

/** How to reach PostgreSQL, and how many connections to use. Times are in milliseconds. */
export interface PostgresOptions {
  /**
   * A server and a database on it, which becomes the control database. When it names `postgres`, `controlDatabase` is
   * created and used instead. The user has to be allowed to create databases.
   */
  readonly databaseUrl: string
  readonly clock: Clock
  /** Called for what an operator should know: a project's database that cannot be reached or migrated. */
  readonly onWarning?: OnWarning
  /** Only where `databaseUrl` names `postgres`. Default: `hearth`. */
  readonly controlDatabase?: string
  /** How the names of the projects' databases begin. Default: `hearth_`. */
  readonly tenantPrefix?: string
  /** Connections to the control database. Default: 8. */
  readonly controlConnections?: number
  /** Connections to the databases of all projects together. Default: 32. */
  readonly tenantConnections?: number
  /** Connections to the database of one project: never all, where there are several. Default: 8. */
  readonly connectionsPerTenant?: number
  /** How long an idle connection is kept. Default: 10 s. */
  readonly idleMillis?: number
  /** How long a caller waits for its turn and for a new connection. Default: 5 s. A start waits 20 s for one, or this where longer. */
  readonly acquireMillis?: number
  /** How long one statement may take. Default: 30 s. */
  readonly statementMillis?: number
  /**
   * Whether this process hears what others revoke, on one more connection. Needed where it answers callers. Default: true.
   */
  readonly listens?: boolean
  /** How often it makes sure that it hears. Default: 10 s. */
  readonly listenerPingMillis?: number
  /** How often databases that are not up to date are looked at again. Default: 30 s. */
  readonly lookMillis?: number
  /** How long a call waits for a database that is being brought up to date. Default: 2 s. */
  readonly firstUseMillis?: number
  /** Called for what is brought up to date: the control database, each database of a project, and how far they are. */
  readonly onProgress?: OnProgress
  /** The schemas of another release. Default: those of this one. */
  readonly schemas?: { readonly control: Schema; readonly tenant: Schema }
  /** How long a statement waits for a lock. Default: 2 s. */
  readonly lockMillis?: number
  /** How long to ask for the outcome of a write whose connection was lost. Default: 5 s. */
  readonly confirmMillis?: number
}

/** Figures of the connections of this process. */
export interface PostgresFigures {
  readonly control: ConnectionFigures
  readonly tenants: ConnectionFigures
}

/** Who waits in this process without a connection, and who was turned away. */
export interface PostgresLines {
  readonly control: LineFigures
  readonly tenants: LineFigures
}

/** The control plane and the tenants on one PostgreSQL server. */
export interface Postgres {
  /** The address of the control database, for the queue and the rate limits, which are in it too. */
  readonly controlUrl: string
  readonly control: ControlPlane<ControlDb>
  readonly news: News
  readonly revocations: Revocations
  readonly tenants: Tenants<TenantDb>
  readonly figures: () => PostgresFigures
  /** Brings the databases of the projects up to date, from its `start` on. Without it each is when it is first used. */
  readonly schemas: Pick<SchemaWatch, "start" | "figures">
  readonly lines: () => PostgresLines
  /** Whether the control database answers within two seconds. */
  readonly ping: () => Effect.Effect<boolean>
  /** Whether it answers as soon, and takes writes: a replica takes none. */
  readonly takesWrites: () => Effect.Effect<boolean>
  /** What the clock of PostgreSQL shows, in milliseconds. Rejects where it cannot be reached. */
  readonly readClock: () => Promise<number>
  /** Waits for work that is under way, up to `acquireMillis`, and closes every connection. */
  readonly close: () => Effect.Effect<void>
}

// A transaction that is idle this long has lost its client, or that hangs; its locks must be released. No batch computes for as
// long between two statements.
const idleInTransactionMillis = 30_000

// No caller waits during a start, and where a whole machine starts at once its PostgreSQL is slow to take connections.
const startMillis = 20_000

// What is being brought up to date may finish when the service stops, but it is not waited for long: it is rolled back.
const stopMillis = 1_000

const ownSchemas = { control: controlSchema, tenant: tenantSchema }

/** The connections that serve calls. Migrations have their own: they wait for each other, for however long that takes. */
const openPools = (
  options: PostgresOptions,
  settings: ConnectionSettings,
  shared: Pick<ConnectionLimits, "idleMillis" | "acquireMillis" | "confirmMillis" | "onRefused">,
  isRemoved: (database: string) => Promise<boolean>,
) => {
  const { controlConnections = 8, tenantConnections = 32, connectionsPerTenant = 8, lockMillis = 2_000 } = options
  // One project never has all of them, where there is more than one.
  const perTenant = Math.max(1, Math.min(connectionsPerTenant, tenantConnections - 1))
  const serving: ConnectionSettings = { ...settings, lockMillis }
  return {
    controls: makeConnections(serving, { max: controlConnections, maxPerDatabase: controlConnections, ...shared }),
    tenants: makeConnections(serving, { max: tenantConnections, maxPerDatabase: perTenant, ...shared, isRemoved }),
  }
}

/**
 * Connects to PostgreSQL and brings the control database to the present schema. The databases of the projects follow when
 * they are used, or after `schemas.start()`. Any number of processes may do so at once. A project whose database cannot be
 * brought up to date fails with `TenantBusy` and is reported; the others are not affected. Dies when the control database
 * cannot be reached or migrated, and with `PooledTransactions` behind a pooler that shares sessions.
 */
export const openPostgres = (options: PostgresOptions): Effect.Effect<Postgres> =>
  Effect.promise(async () => {
    const { acquireMillis = 5_000, idleMillis = 10_000, statementMillis = 30_000, tenantPrefix = "hearth_" } = options
    const url = new URL(options.databaseUrl)
    const controlDatabase = controlDatabaseOf(url, options.controlDatabase ?? "hearth")
    const settings: ConnectionSettings = { url, connectMillis: acquireMillis, statementMillis, idleInTransactionMillis }
    const { control: schema, tenant } = options.schemas ?? ownSchemas
    const starting = { ...settings, connectMillis: Math.max(acquireMillis, startMillis) }
    const first = controlDatabaseOf(url, maintenanceDatabase)
    await whileStarting(starting.connectMillis, () => refusePooler(starting, first))
    await ensureControlDatabase(starting, controlDatabase)
    const { onWarning = () => {}, onProgress = () => {}, confirmMillis = 5_000 } = options
    const began = performance.now()
    const { from, note, steps } = await migrateControl(starting, controlDatabase, schema)
    // One that was just made is no news: a start that fails after it says only why.
    if (steps.length > 0 && from !== "0000") {
      const ms = Math.round(performance.now() - began)
      onProgress("the control database was brought up to date", { from, to: note.version, ms })
    }

    const shared = { idleMillis, acquireMillis, confirmMillis, onRefused: warnOfServer(options.clock, onWarning) }
    const { controls, tenants } = openPools(options, settings, shared, (database) =>
      Effect.runPromise(probe.lacksProject(schemas.databases.projectOf(database))),
    )
    const pooled = pooledStatements(controls, controlDatabase)
    const { listens = true, listenerPingMillis = 10_000 } = options
    const listening = { ...settings, applicationName: "hearth listener" }
    const news: OpenNews = openNews({ notify: async (payloads) => (await opening).say(newsChannel, payloads) })
    const opening: Promise<OpenRevocations> = openRevocations({
      connect: listens ? (onLost, onNotification) => connect(listening, controlDatabase, onLost, onNotification) : null,
      notify: async (payloads, channel) =>
        void (await Effect.runPromise(pooled.attempt(() => notifyStatement(payloads, channel)))),
      others: [{ name: newsChannel, hear: news.hear, heardAgain: news.heardAgain }],
      onWarning,
      pingMillis: listenerPingMillis,
    })
    const revocations = await opening
    const { watch, ...schemas } = openSchemas({
      ...options,
      settings,
      schema: tenant,
      names: { prefix: tenantPrefix, controlDatabase },
      controls,
      onWarning,
    })
    const probe = makeProbe(pooled)
    // What was under way in a project that another process has removed is no news to an operator.
    const warnOfProject = async (projectId: string, cause: unknown) => {
      if (await Effect.runPromise(probe.lacksProject(projectId))) return
      onWarning(`The database of project ${projectId} cannot be used.`, cause, { project_id: projectId })
    }
    let warnedAt: number | undefined
    const onUnavailable = (cause: unknown) => {
      const now = options.clock.now().getTime()
      if (warnedAt !== undefined && Math.abs(now - warnedAt) < warnMillis) return
      warnedAt = now
      onWarning("The control database cannot be used.", cause)
    }
    const available = makeAvailability({ connections: controls, database: controlDatabase, onUnavailable })
    const { create, drop, ...projects } = makeTenants({
      ...schemas,
      connections: tenants,
      shapes: readShapes(tenant),
      clock: options.clock,
      available,
      onCommitted: news.committed,
      onUnavailable: (projectId, cause) => void warnOfProject(projectId, cause),
    })
    return {
      controlUrl: urlOf(url, controlDatabase),
      control: makeControlPlane({
        connections: controls,
        database: controlDatabase,
        shapes: readShapes(schema),
        clock: options.clock,
        onUnavailable,
      }),
      news,
      revocations,
      // Both lock databases by a connection to the control database.
      tenants: { ...projects, create: (id) => available(create(id)), drop: (id) => available(drop(id)) },
      figures: () => ({ control: controls.figures(), tenants: tenants.figures() }),
      schemas: watch,
      lines: () => ({ control: controls.lines(), tenants: tenants.lines() }),
      ping: probe.answers,
      takesWrites: probe.takesWrites,
      readClock: () =>
        Effect.runPromise(Effect.map(pooled.rows<{ readonly now: number }>(clockQuestion), ([row]) => row?.now ?? 0)),
      close: () =>
        Effect.promise(async () => {
          await watch.stop(stopMillis)
          news.close()
          await revocations.close()
          await Promise.all([controls.close(), tenants.close()])
        }),
    }
  })
