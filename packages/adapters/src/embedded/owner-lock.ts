import { linkSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { codeOf, EmbeddedDatabaseFailure } from "./failure.ts"
import { birthOf, readPidScope } from "./process-birth.ts"

/** The right to use a folder, held until `release` or the end of this process. */
export interface Ownership {
  release(): void
}

interface Owner {
  readonly pid: number
  readonly birth: string
  readonly place: string
}

const prefix = "hearth-owner."
const heartbeatMillis = 1_000
/** How long we watch an owner of whom we cannot see the process: several heartbeats, so that a busy one keeps its lock. */
const watchMillis = 5_000

const generations = (folder: string): Array<number> =>
  readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((left, right) => right - left)

const sendsHeartbeat = async (file: string): Promise<boolean> => {
  const before = statSync(file).mtimeMs
  const until = performance.now() + watchMillis
  while (performance.now() < until) {
    await wait(200)
    if (statSync(file).mtimeMs !== before) return true
  }
  return false
}

const isHeld = async (file: string, owner: Owner): Promise<boolean> => {
  if (owner.place !== readPidScope()) return sendsHeartbeat(file)
  const birth = birthOf(owner.pid)
  if (birth === undefined) return false
  return birth !== "" && owner.birth !== "" ? birth === owner.birth : sendsHeartbeat(file)
}

/** Undefined when released, or when a power cut left something else than what was written. */
const parse = (text: string): Owner | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Makes the failure of who comes second. `holder` names the process that has the folder. */
export type Refuse = (folder: string, holder: string) => Error

const refuseDataFolder: Refuse = (folder, holder) =>
  new EmbeddedDatabaseFailure(
    `The data folder ${folder} is in use by another Hearth process (${holder}); stop it, or set DATA_DIR to another folder.`,
  )

/** Fails when this generation of the lock is held. One whose file has vanished is not. */
const refuseIfHeld = async (folder: string, file: string, refuse: Refuse): Promise<void> => {
  try {
    const owner = parse(readFileSync(file, "utf8"))
    if (!owner || !(await isHeld(file, owner))) return
    const elsewhere = owner.place === readPidScope() ? "" : " in another container or on another machine"
    throw refuse(folder, `pid ${owner.pid}${elsewhere}`)
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error
  }
}

/** Creates the file with its whole content or not at all. False when another process was first. */
const createAtomically = (file: string, text: string): boolean => {
  const draft = `${file}.${crypto.randomUUID()}`
  try {
    writeFileSync(draft, text)
    linkSync(draft, file)
    return true
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

const keepHeartbeat = (file: string, text: string): Ownership => {
  const heartbeat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date())
    } catch {
      // The folder was removed under us: there is nothing left to hold.
    }
  }, heartbeatMillis).unref()
  return {
    release: () => {
      clearInterval(heartbeat)
      try {
        // Where the folder was removed and made anew, the file of this name is somebody else's.
        if (readFileSync(file, "utf8") === text) truncateSync(file)
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error
      }
    },
  }
}

/** Whether a file of a folder belongs to its lock. */
export const isOwnerFile = (name: string): boolean => name.startsWith(prefix)

/**
 * Takes the folder for this process, also from an owner that died without releasing it [F3]. Fails with what `refuse` makes,
 * naming the owner, when it is in use.
 *
 * The lock is a series of files with numbers, the generations, and the highest counts. A process that finds it dead or
 * released (empty) creates the next: of several only one can, and the others then find that one alive. The highest is
 * never removed, so no number is used twice, and no process can take a lock that is younger than the one it looked at.
 */
export const takeOwnership = async (folder: string, refuse: Refuse = refuseDataFolder): Promise<Ownership> => {
  const owner: Owner = { pid: process.pid, birth: birthOf(process.pid) ?? "", place: readPidScope() }
  for (;;) {
    const highest = generations(folder)[0] ?? 0
    if (highest > 0) await refuseIfHeld(folder, join(folder, `${prefix}${highest}`), refuse)
    const mine = join(folder, `${prefix}${highest + 1}`)
    const text = JSON.stringify(owner)
    if (!createAtomically(mine, text)) continue
    const [first, ...older] = generations(folder)
    if (first === highest + 1) {
      for (const generation of older) rmSync(join(folder, `${prefix}${generation}`), { force: true })
      return keepHeartbeat(mine, text)
    }
    // The listing may lack files that were created while it was read: look again.
    rmSync(mine, { force: true })
  }
}
