import { join, resolve } from "node:path"
import {
  createEngagement,
  type Engagement,
  type EngagementOptions,
  engagementOptionNames,
  expectAlike,
  expectEffect,
  expectKnownNames,
  expectKnownParts,
  type OwnPorts,
  type Ports,
  replacePorts,
  type Signals,
} from "@hearth/core"
import { Effect } from "effect"
import {
  type IdentityVerifierSettings,
  identityProviders,
  loadTokenKeys,
  readLifetimes,
  readOrCreateTokenKeys,
  type TokenLifetimes,
} from "../identity/index.ts"
import type { KeptMail } from "../mail/index.ts"
import type { PasswordHasherSettings } from "../passwords/index.ts"
import type { PushAddresses } from "../push/index.ts"
import { loadSecretKeys, readOrCreateSecretKeys, secretKeyFile } from "../secrets/index.ts"
import { type Log, openLog } from "../system/index.ts"
import { checkSecretKeys } from "./check-secret-keys.ts"
import type { PostgresSizes } from "./modules.ts"
import { openPorts } from "./open-ports.ts"
import { readAddresses } from "./read-addresses.ts"
import { startWorker, type Worker } from "./start-worker.ts"

/** What a service on PostgreSQL is made of. Everything but `databaseUrl` has a default; text may be undefined, as a variable that is not set. */
export interface PostgresEngagementOptions extends Omit<EngagementOptions, "background" | "pushBUrl"> {
  /**
   * The PostgreSQL server (15 or newer) and a database on it, which becomes the control database; `postgres` stands for one that is
   * created. Its user may create databases: every project has one.
   */
  readonly databaseUrl: string
  /** How PostgreSQL is used: connections, names of databases. */
  readonly postgres?: PostgresSizes
  /** The Redis of queue and rate limits. Both live in PostgreSQL without it. */
  readonly redisUrl?: string | undefined
  /**
   * The private keys that sign tokens, as a JSON Web Key Set (`JWT_KEYS`). Made and kept in `dataDir` without it. Processes that
   * accept each other's tokens have the same.
   */
  readonly tokenKeys?: string | undefined
  /** The keys that seal the secrets of integrations (`SECRETS_KEY`). Made and kept in `dataDir` without it; the same in all processes. */
  readonly secretKeys?: string | undefined
  /** Whether it starts although secrets of integrations need a key that is lost: these have none then. False by default. */
  readonly forgetsLostSecrets?: boolean
  /** Where keys and files are kept that have no other place. `./data` by default. */
  readonly dataDir?: string | undefined
  /** Where files of media are: `s3://…` or `file:///…`. The folder `media` in `dataDir` without it. */
  readonly storageUrl?: string | undefined
  /** The mail server. Without it no mail is sent: the newest are kept, see `sentMails`. */
  readonly smtpUrl?: string | undefined
  /** Whom mails are from. `Hearth <no-reply@localhost>` by default. */
  readonly mailFrom?: string | undefined
  /** The `iss` of tokens. `hearth` by default. */
  readonly issuer?: string
  /** What differs from the usual lifetimes of tokens. */
  readonly lifetimes?: Partial<TokenLifetimes>
  /** What new passwords are hashed with. argon2id by default. */
  readonly passwords?: PasswordHasherSettings
  /** Where the tokens of identity providers come from. Apple and Google by default. */
  readonly providers?: IdentityVerifierSettings["providers"]
  /** Where pushes go instead of the providers' own servers. */
  readonly pushAddresses?: PushAddresses
  /** Whether no other process answers callers: then rate limits cost no round trip. False by default. */
  readonly isOnlyProcess?: boolean
  /** Hears what the adapters have to say. By default warnings are written to standard error, a JSON object a line. */
  readonly log?: Log
  /** Hears the signals for operators. Nobody does by default. */
  readonly signals?: Signals
  /**
   * Replaces ports: those that are given, or that a function makes of those that were opened. A clock is that of all ports, so a
   * function comes too late for one.
   */
  readonly ports?: OwnPorts
}

/** The whole service on PostgreSQL. */
export interface PostgresEngagement {
  /** The use cases. */
  readonly core: Engagement
  /** The ports that the use cases run on. */
  readonly ports: Ports
  /** Runs a use case. Rejects with its failure or defect. */
  run<A, E>(effect: Effect.Effect<A, E>): Promise<A>
  /**
   * Does the background work of all projects in this process, until `drain` is called: reactions to events, deadlines, campaigns,
   * migrations of the projects' databases. At least one process of an installation does it; any number may.
   */
  startBackground(): Promise<Worker>
  /** The mails that nobody was sent, the newest first: where there is no mail server. */
  sentMails(): ReadonlyArray<KeptMail>
  /** Ends streams and the background work of this process, waits for what is under way, and closes every connection. */
  close(): Promise<void>
}

const { background: _, pushBUrl: __, ...coreOptionNames } = engagementOptionNames
const silent: Signals = { emit: () => {} }

const optionNames: Readonly<Record<keyof PostgresEngagementOptions, unknown>> = {
  ...coreOptionNames,
  databaseUrl: true,
  postgres: true,
  redisUrl: true,
  tokenKeys: "{}",
  secretKeys: "…",
  forgetsLostSecrets: false,
  dataDir: "data",
  storageUrl: true,
  smtpUrl: true,
  mailFrom: true,
  issuer: "hearth",
  lifetimes: true,
  passwords: true,
  providers: true,
  pushAddresses: true,
  isOnlyProcess: false,
  log: () => {},
  signals: silent,
  ports: true,
}

/** What the options have that are made of options, beside those of the core, each with an example of what it is. */
const optionParts = {
  postgres: {
    connectionsPerTenant: 1,
    controlConnections: 1,
    controlDatabase: "hearth",
    tenantConnections: 1,
    tenantPrefix: "hearth_",
  } satisfies Readonly<Record<keyof PostgresSizes, unknown>>,
  lifetimes: {
    session: true,
    refresh: true,
    developer_access: true,
    developer_refresh: true,
  } satisfies Readonly<Record<keyof TokenLifetimes, true>>,
  passwords: { algorithm: "argon2id", concurrency: 1, waiting: 0 } satisfies Readonly<
    Record<keyof PasswordHasherSettings, unknown>
  >,
}

/** Those of which all parts are given. */
const wholeParts = {
  providers: identityProviders,
  pushAddresses: { push_a: true, push_b: true } satisfies Readonly<Record<keyof PushAddresses, true>>,
}

const coreOptions = (options: PostgresEngagementOptions): EngagementOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(coreOptionNames, name)))

/** What is behind the ports, with the defaults filled in. */
const open = async (options: PostgresEngagementOptions, log: Log) => {
  const { databaseUrl, redisUrl, smtpUrl, mailFrom, storageUrl } = readAddresses(options)
  const dataDir = resolve(options.dataDir ?? "data")
  const { tokenKeys, secretKeys, isOnlyProcess = false, ports } = options
  const clock = typeof ports === "object" ? ports.clock : undefined
  const keys = await Effect.runPromise(
    Effect.all({
      tokens: tokenKeys === undefined ? readOrCreateTokenKeys(dataDir) : loadTokenKeys(tokenKeys),
      secrets: secretKeys === undefined ? readOrCreateSecretKeys(dataDir) : loadSecretKeys(secretKeys),
    }),
  )
  return openPorts({
    ...{ databaseUrl, redisUrl, isOnlyProcess, log },
    ...(options.postgres === undefined ? {} : { postgres: options.postgres }),
    credentials: {
      tokens: {
        keys: keys.tokens,
        issuer: options.issuer ?? "hearth",
        lifetimes: readLifetimes(options.lifetimes ?? {}),
      },
      passwords: options.passwords ?? { algorithm: "argon2id" },
      providers: options.providers ?? identityProviders,
    },
    secretKeys: keys.secrets,
    mail: { smtpUrl, from: mailFrom },
    push: { addresses: options.pushAddresses ?? { push_a: null, push_b: null }, development: false },
    storage: { url: storageUrl, dataDir },
    signals: options.signals ?? silent,
    ...(clock === undefined ? {} : { clock }),
  })
}

/**
 * The whole service on PostgreSQL, in this process, without a server: opens what the ports need, and brings the control database to
 * the present schema. Rejects with a sentence where an address or a key does not do, the database cannot be reached or the keys do
 * not open what is sealed, and with a `TypeError` where there is no such option or port, or an option is of another kind; nothing stays open then.
 */
export const createPostgresEngagement = async (options: PostgresEngagementOptions): Promise<PostgresEngagement> => {
  expectKnownNames("option", options, optionNames)
  expectKnownParts(options, optionParts, { whole: false })
  expectKnownParts(options, wholeParts, { whole: true })
  expectAlike(options, { ...optionNames, ...optionParts })
  const log = options.log ?? openLog({ level: "warn", format: null })
  const opened = await open(options, log)
  const { postgres, queue, mail } = opened
  const make = async () => {
    const ports = replacePorts(opened.ports, options.ports)
    if (ports.clock !== opened.ports.clock)
      throw new Error("A clock is given as ports: { clock }: what a function gets was opened with the system's.")
    const core = createEngagement(ports, { ...coreOptions(options), pushBUrl: options.pushAddresses?.push_b ?? null })
    const { dataDir = "data", forgetsLostSecrets: forgetsLost = false, secretKeys } = options
    const place = secretKeys === undefined ? join(dataDir, secretKeyFile) : "secretKeys"
    await checkSecretKeys(core.background, { place, forgetsLost, remedy: "set forgetsLostSecrets" }, log)
    return { core, ports }
  }
  const { core, ports } = await make().catch(async (error: unknown) => {
    await opened.close()
    throw error
  })
  const workers: Array<Promise<Worker>> = []
  let isClosed = false
  return {
    core,
    ports,
    run: (effect) => Effect.runPromise(expectEffect(effect)),
    startBackground: async () => {
      if (isClosed) throw new Error("The service is closed, and starts no background work any more.")
      const worker = startWorker(core.background, queue, log)
      workers.push(worker)
      postgres.schemas.start()
      return worker
    },
    sentMails: () => mail.outbox?.() ?? [],
    close: async () => {
      isClosed = true
      // Whoever reads a stream would ask the databases for more, again and again.
      core.live.stop()
      const started = await Promise.all(workers.splice(0))
      await Promise.all(started.map((worker) => worker.drain()))
      await opened.close()
    },
  }
}
