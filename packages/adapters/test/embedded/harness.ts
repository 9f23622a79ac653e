import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { type EmbeddedDatabase, type EmbeddedDatabaseOptions, startEmbeddedDatabase } from "../../src/embedded/index.ts"
import { isAlive } from "../../src/embedded/process-birth.ts"

const folders: Array<string> = []
let shared: Promise<string> | undefined
const databases: Array<EmbeddedDatabase> = []
const processes: Array<ChildProcess> = []

/** A folder that every user may enter, removed by `clear`. */
export const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-embedded-"))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

/** Starts a throw-away database in this process; stopped by `clear`. */
export const start = async (
  dataDir: string,
  options: Partial<EmbeddedDatabaseOptions> = {},
): Promise<EmbeddedDatabase> => {
  const database = await startEmbeddedDatabase({ dataDir, durable: false, report: () => undefined, ...options })
  databases.push(database)
  return database
}

const makeShared = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-embedded-"))
  chmodSync(folder, 0o755)
  const { url, stop } = await startEmbeddedDatabase({ dataDir: folder, durable: false })
  await query(url, "create table kept as select 42 as answer")
  await stop()
  return folder
}

/** A data folder with a table, one for all tests of a file. `kept` reads the table. */
export const aUsedDataDir = (): Promise<string> => {
  shared ??= makeShared()
  return shared
}

/** A process that owns a database, and the message that it sent. */
export interface OwnerProcess {
  readonly child: ChildProcess
  readonly said: Omit<EmbeddedDatabase, "stop" | "discard"> & { readonly failure?: string }
}

/** Forks a process that starts the database, as another user if asked. */
export const forkOwner = (dataDir: string, account: { uid?: number; gid?: number } = {}): ChildProcess => {
  const options = JSON.stringify({ dataDir, durable: false })
  const settings = { execArgv: [], detached: true, ...account }
  const child = fork(new URL("./owner-process.ts", import.meta.url), [options], settings)
  processes.push(child)
  return child
}

/** Waits until the forked process has started its database or failed. */
export const startInProcess = async (
  dataDir: string,
  account: { uid?: number; gid?: number } = {},
): Promise<OwnerProcess> => {
  const child = forkOwner(dataDir, account)
  const [said] = await once(child, "message")
  return { child, said }
}

/** Ends a process, with its group when by Ctrl-C, and waits until it is gone. */
export const end = async (child: ChildProcess, how: "in order" | "kill -9" | "Ctrl-C"): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  if (how === "in order" && child.connected) child.send("stop", () => undefined)
  else if (how === "Ctrl-C" && child.pid !== undefined) process.kill(-child.pid, "SIGINT")
  else child.kill("SIGKILL")
  await gone
}

/** Runs one statement on a connection of its own. */
export const query = async (url: string, text: string): Promise<Array<Record<string, unknown>>> => {
  const client = new pg.Client(url)
  client.on("error", () => undefined)
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The rows of a used data folder, which must be `answer` after every fault. */
export const kept = (url: string): Promise<Array<Record<string, unknown>>> => query(url, "select * from kept")
export const answer = [{ answer: 42 }]

/** The process that serves a cluster. */
export const serverPid = (cluster: string): number =>
  Number.parseInt(readFileSync(join(cluster, "postmaster.pid"), "utf8"), 10)

const endSurvivor = async (dataDir: string): Promise<void> => {
  const cluster = join(dataDir, "postgres")
  if (!existsSync(join(cluster, "postmaster.pid"))) return
  const pid = serverPid(cluster)
  if (isAlive(pid)) process.kill(pid, "SIGQUIT")
  while (isAlive(pid)) await wait(10)
}

/** Stops everything that a test has started, and removes its folders. */
export const clear = async (): Promise<void> => {
  await Promise.all(databases.splice(0).map((database) => database.stop()))
  await Promise.all(processes.splice(0).map((child) => end(child, "in order")))
  if (shared) await endSurvivor(await shared)
  for (const folder of folders.splice(0)) {
    await endSurvivor(join(folder, "data"))
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Removes the data folder that the tests of a file share. */
export const clearShared = async (): Promise<void> => {
  if (shared) rmSync(await shared, { recursive: true })
  shared = undefined
}
