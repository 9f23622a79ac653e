import { setTimeout as pause } from "node:timers/promises"
import { ConnectionLost } from "../connections/connection-lost.ts"
import { makeSemaphore } from "../connections/semaphore.ts"
import type { Behind, TenantSchemas } from "./tenant-schemas.ts"

/** Whether a database may be used. `busy`: not yet, for about so many milliseconds. `gone`: there is nothing to use. */
export type Verdict =
  | { readonly kind: "usable" }
  | { readonly kind: "gone" | "busy"; readonly millis: number; readonly cause: unknown }

/** Decides about databases that are used before they are known to be up to date. */
export interface FirstUse {
  /** Null where a database may be used, which is known at once. Otherwise a verdict within two seconds. */
  readonly check: (database: string) => Promise<Verdict> | null
  /**
   * Connects to a database whose statements fail as if its schema was another one, at most once in `lookMillis`, and answers
   * what to do with the call: null where nothing is wrong with the schema.
   */
  readonly doubt: (database: string) => Promise<Verdict | null>
}

/** Times are in milliseconds. */
export interface FirstUseOptions {
  /** How long a caller waits. */
  readonly waitMillis: number
  /** How long nobody tries again what failed. */
  readonly lookMillis: number
}

// So many are brought up to date for callers at once, beside those of the background.
const atOnce = 3
// Another process may have brought it up to date: its comment is read again after this.
const againMillis = 1_000
// It is done in a moment, or somebody else has its tables.
const soonMillis = 2_000

const usable: Verdict = { kind: "usable" }

/** Brings databases up to date for the callers who need them. */
export const firstUse = (schemas: TenantSchemas, { waitMillis, lookMillis }: FirstUseOptions): FirstUse => {
  const permits = makeSemaphore(atOnce, () => {})
  const looks = new Map<string, { readonly at: number; readonly found: Promise<boolean> }>()
  const doubts = new Map<string, number>()

  /** Reads the comment of a database, for all who ask within a second. */
  const look = (database: string): Promise<boolean> => {
    const known = looks.get(database)
    const now = performance.now()
    if (known !== undefined && now - known.at < againMillis) return known.found
    const found = schemas.look(database)
    looks.set(database, { at: now, found })
    const forget = () => void (looks.get(database)?.found === found && looks.delete(database))
    setTimeout(forget, againMillis).unref()
    found.catch(forget)
    return found
  }

  const isResting = ({ triedAt, hindrance }: Behind) =>
    hindrance === "too-new" || (triedAt !== null && performance.now() - triedAt < lookMillis)

  const judge = (database: string): Verdict => {
    const behind = schemas.behind.get(database)
    if (behind === undefined || schemas.isUsable(database)) return usable
    if (behind.hindrance === "empty" || behind.cause instanceof ConnectionLost)
      return { kind: "gone", millis: 0, cause: behind.cause }
    const left =
      behind.triedAt === null || schemas.isRunning(database) ? 0 : behind.triedAt + lookMillis - performance.now()
    const cause = behind.cause ?? new Error(`The schema of ${database} is being brought up to date.`)
    return { kind: "busy", millis: Math.max(left, soonMillis), cause }
  }

  const bringUpToDate = async (database: string) => {
    if (schemas.isRunning(database)) return schemas.bringUpToDate(database).usable
    await permits.acquire()
    const { usable: isUsable, changed } = schemas.bringUpToDate(database)
    void changed.finally(permits.release)
    return isUsable
  }

  const decide = async (database: string): Promise<Verdict> => {
    const isThere = await look(database)
    const behind = schemas.behind.get(database)
    // A database that is missing is found out by connecting to it.
    if (!isThere || behind === undefined || schemas.isUsable(database)) return usable
    if (!isResting(behind) || schemas.isRunning(database)) await bringUpToDate(database)
    return judge(database)
  }

  const within = async (database: string, verdict: Promise<Verdict>): Promise<Verdict> => {
    const stop = new AbortController()
    const late = pause(waitMillis, undefined, { signal: stop.signal, ref: false })
      .then(() => judge(database))
      .catch(() => usable)
    try {
      return await Promise.race([verdict, late])
    } finally {
      stop.abort()
    }
  }

  return {
    check: (database) => (schemas.isUsable(database) ? null : within(database, decide(database))),
    doubt: async (database) => {
      const now = performance.now()
      const last = doubts.get(database)
      if (last !== undefined && now - last < lookMillis && !schemas.isRunning(database)) return null
      doubts.set(database, now)
      setTimeout(() => doubts.delete(database), lookMillis).unref()
      const changed = schemas.bringUpToDate(database).changed
      const verdict = async (): Promise<Verdict> => {
        const wasWrong = await changed
        const found = judge(database)
        return found.kind === "usable" && wasWrong
          ? {
              kind: "busy",
              millis: againMillis,
              cause: new Error(`The schema of ${database} has just been brought up to date.`),
            }
          : found
      }
      const found = await within(database, verdict())
      return found.kind === "usable" ? null : found
    },
  }
}
