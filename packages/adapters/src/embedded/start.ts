import { realpathSync } from "node:fs"
import { join } from "node:path"
import { makeFolder } from "../system/make-folder.ts"
import { accountFor } from "./account.ts"
import { prepareBinaries } from "./binaries.ts"
import { ensureCluster, readPassword } from "./cluster.ts"
import { locateCluster } from "./cluster-location.ts"
import { explain } from "./failure.ts"
import { findMissing, noteFolder } from "./made.ts"
import { type Ownership, takeOwnership } from "./owner-lock.ts"
import { shutDown } from "./postmaster.ts"
import { stillRuns } from "./process-birth.ts"
import { type Plan, startOrAdopt } from "./server.ts"
import { chooseSocketFolder, makeAddress } from "./socket-folder.ts"
import { supervise } from "./supervisor.ts"

/** How to serve the data folder's database. */
export interface EmbeddedDatabaseOptions {
  /** The folder that the operator configured; made when absent. Holds the database, its password and its log. */
  readonly dataDir: string
  /** 200 unless told. */
  readonly maxConnections?: number
  /** False for a throw-away database: faster, and lost in a power cut. */
  readonly durable?: boolean
  /** Called with a sentence when PostgreSQL was restarted, or is not restarted any more. Writes to stderr by default. */
  readonly report?: (sentence: string) => void
  /** Aborted, it ends a start that is under way: PostgreSQL is shut down again, and the start fails. */
  readonly signal?: AbortSignal
}

/** A PostgreSQL of our own on this machine. It is started again under the same addresses when it crashes, until `stop`. */
export interface EmbeddedDatabase {
  /** The address to use, as a superuser: over a socket file where there is one, which takes less CPU time than TCP. */
  readonly url: string
  /** `postgres://user:password@127.0.0.1:port/postgres`, for what has no socket files. */
  readonly tcpUrl: string
  /** Where the cluster really is. */
  readonly dataDir: string
  /** Sentences that the operator should see, such as where the cluster is kept instead. */
  readonly notes: ReadonlyArray<string>
  /** It was left running by a process that was killed, and was taken over. */
  readonly adopted: boolean
  /** Shuts PostgreSQL down and frees the data folder, within ten seconds. May be called several times. */
  stop(): Promise<void>
  /** Stops it, and removes what this start has made: the database and its folders, where there was none before. */
  discard(): Promise<void>
}

const toStderr = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`)
}

const planFor = async (dataDir: string, owned: Array<Ownership>, options: EmbeddedDatabaseOptions): Promise<Plan> => {
  const { maxConnections = 200, durable = true } = options
  const location = locateCluster(dataDir)
  // A copied data folder names the same location.
  if (location.home !== dataDir) owned.push(await takeOwnership(location.home))
  const binaries = await prepareBinaries(location.account, dataDir)
  const password = readPassword(dataDir, location)
  await ensureCluster(location, binaries, password, durable)
  const socketFolder = chooseSocketFolder(location)
  return { location, binaries, password, maxConnections, durable, logFile: join(dataDir, "postgres.log"), socketFolder }
}

/**
 * Starts the database of a data folder, or takes over the one that a killed process left running. No other process can
 * start it until `stop` or the end of this process [F1, F3]. Fails with `EmbeddedDatabaseFailure`.
 */
export const startEmbeddedDatabase = async (options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> => {
  const owned: Array<Ownership> = []
  const release = () => {
    for (const ownership of owned.splice(0)) ownership.release()
  }
  try {
    const missing = findMissing(options.dataDir)
    await makeFolder(options.dataDir)
    const dataDir = realpathSync(options.dataDir)
    // Whose it is says more than that its lock cannot be written.
    accountFor(join(dataDir, "postgres"))
    owned.push(await takeOwnership(dataDir))
    const made = noteFolder(dataDir, missing)
    const plan = await planFor(dataDir, owned, options)
    const { location, binaries, password } = plan
    const server = await startOrAdopt(plan, undefined, options.signal ?? new AbortController().signal)
    const { socketFolder } = server
    const revive = (port: number, signal: AbortSignal) => startOrAdopt({ ...plan, socketFolder }, port, signal)
    const supervisor = supervise(server, revive, options.report ?? toStderr)
    const end = async (isDiscarded: boolean) => {
      const last = await supervisor.halt()
      if (stillRuns(last)) await shutDown(last.pid, location.cluster, binaries)
      if (isDiscarded) made.removeDatabase(location)
      release()
      made.removeFolders()
    }
    let ending: Promise<void> | undefined
    return {
      url: makeAddress(server, password),
      tcpUrl: makeAddress({ ...server, socketFolder: null }, password),
      dataDir: location.cluster,
      notes: [...location.notes, ...binaries.notes],
      adopted: server.adopted,
      stop: () => {
        ending ??= end(false)
        return ending
      },
      discard: () => {
        ending ??= end(true)
        return ending
      },
    }
  } catch (error) {
    release()
    throw explain(error, options.dataDir)
  }
}
