import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto"
import { type EmbeddedDatabase, startEmbeddedDatabase } from "@hearth/adapters"
import { startRedis, type TestRedis } from "@hearth/test-services"
import { type Api, apiAt } from "./api.ts"
import { databaseUrlOf, makeFolder, removeFolder } from "./data-dir.ts"
import { executables, type LaunchOptions, launch, type RunningProcess } from "./process.ts"
import { type Sql, sqlOf } from "./sql.ts"

/** A server process that answers. */
export interface TestServer extends RunningProcess {
  /** Where it listens, without `/v1`. */
  readonly url: string
  readonly api: Api
}

/** Processes, databases and folders of one test file; `clear` ends and removes them all. */
export interface Harness {
  /** A folder that is removed in the end, with the database in it ended. */
  folder(): string
  /** Starts an executable without waiting for anything. */
  launch(script: keyof typeof executables, options?: LaunchOptions): RunningProcess
  /** Starts a server on a free port, and waits until it answers. */
  server(environment: Readonly<Record<string, string>>): Promise<TestServer>
  /** Starts a worker, and waits until it works. */
  worker(environment: Readonly<Record<string, string>>): Promise<RunningProcess>
  /** Starts a PostgreSQL for servers and workers that run apart, and answers their settings for it. */
  database(options?: {
    readonly maxConnections?: number
  }): Promise<{ readonly environment: Readonly<Record<string, string>>; readonly sql: Sql }>
  /** Starts a Redis. */
  redis(): Promise<TestRedis>
  clear(): Promise<void>
}

/** A set of keys for `JWT_KEYS`. */
export const someJwtKeys = (): string => {
  const { x, d } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  return JSON.stringify({ keys: [{ kty: "OKP", crv: "Ed25519", kid: randomUUID(), x, d }] })
}

/** A key for `SECRETS_KEY`. */
export const someSecretsKey = (): string => randomBytes(32).toString("base64")

/** Queries the databases of a data folder. */
export const sqlIn = (dataDir: string): Sql => sqlOf(() => databaseUrlOf(dataDir))

/** Few users of tests do what many would: no test but one of this limit comes near it. It is counted all the same. */
const manyWrites = { LIMIT_FEATURE_WRITES: "1000000 per minute, 100000000 per day" }

/** A harness with nothing in it. Every test file has its own, so files can run at the same time. */
export const makeHarness = (): Harness => {
  const folders: Array<string> = []
  const running = new Set<RunningProcess>()
  const databases: Array<EmbeddedDatabase> = []
  const redises: Array<TestRedis> = []

  const folder = () => {
    const made = makeFolder()
    folders.push(made)
    return made
  }
  const start = (script: keyof typeof executables, options: LaunchOptions = {}) => {
    const started = launch(executables[script], options)
    running.add(started)
    void started.ended.then(() => running.delete(started))
    return started
  }

  return {
    folder,
    launch: start,
    server: async (environment) => {
      // One trusted proxy, so that every sign-up of a test can come from an address of its own.
      const process = start("server", {
        environment: { PORT: "0", TRUST_PROXY: "1", LOG_LEVEL: "warn", ...manyWrites, ...environment },
      })
      const [, url = ""] = await process.says(/API +(\S+)\/v1/)
      return { ...process, url, api: apiAt(() => url) }
    },
    worker: async (environment) => {
      const process = start("worker", { environment })
      await process.says(/worker started/)
      return process
    },
    database: async (options = {}) => {
      const database = await startEmbeddedDatabase({ dataDir: folder(), durable: false, ...options })
      databases.push(database)
      // Over TCP, so that tests can put something between. Without SMTP_URL they would log a warning. Nothing connects to this address.
      const keys = { JWT_KEYS: someJwtKeys(), SECRETS_KEY: someSecretsKey() }
      const environment = { ...keys, DATABASE_URL: database.tcpUrl, DATA_DIR: folder(), SMTP_URL: "smtp://127.0.0.1:9" }
      return { environment, sql: sqlOf(() => database.tcpUrl) }
    },
    redis: async () => {
      const redis = await startRedis()
      if (redis === null) throw new Error("There is no redis-server.")
      redises.push(redis)
      return redis
    },
    clear: async () => {
      await Promise.all([...running].map((process) => process.end("SIGKILL")))
      await Promise.all(redises.splice(0).map((redis) => redis.stop()))
      await Promise.all(databases.splice(0).map((database) => database.stop()))
      await Promise.all(folders.splice(0).map(removeFolder))
    },
  }
}
