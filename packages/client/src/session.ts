import { HearthError } from "./error.ts"
import type { SafeStorage } from "./storage.ts"
import { sleep, surroundings, withLock } from "./surroundings.ts"

/** Why nobody is signed in any more. */
export type SignedOutReason =
  /** `signOut()` was called. */
  | "signed_out"
  /** The service has ended the session: the user was removed or disabled, or signed this device out from another one. */
  | "refused"
  /** It happened in another tab. */
  | "elsewhere"

/** A pair of tokens, and whose it is. */
export interface StoredSession {
  readonly accessToken: string
  readonly refreshToken: string
  readonly userId: string
  /** When the access token ends, by the clock of this device; null where it cannot be read. */
  readonly expiresAt: number | null
  /** From when on it is refreshed before it is used. */
  readonly refreshAt: number | null
}

/** The tokens of an answer. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

interface SessionOptions {
  readonly storage: SafeStorage
  /** The key in the storage, and the name of the lock. */
  readonly key: string
  /** Exchanges a refresh token for a new pair. */
  readonly refresh: (refreshToken: string) => Promise<TokenPair>
  /** Called after every change, when it is stored. */
  readonly onChange: (now: StoredSession | null, before: StoredSession | null, reason: SignedOutReason) => void
}

// Refreshed as early as this before the end, or in the last quarter of a short life: no call is sent with a token that ends
// on the way.
const earlyMillis = 60_000
// Another tab that refreshes at the same time has stored its pair within this time [docs/auth.md, 4].
const raceMillis = 1_000
// A tab that is given the lock may still see the localStorage of a moment before: it hears of changes later than of locks.
const settleMillis = 100
// Who would make a user waits longer for a storage that cannot be read than others do: so often, with this pause.
const moreReads = 5
const readPauseMillis = 500

/** How long a token holds, by its own claims; the clock of this device may be wrong. */
const readLifetime = (token: string): number | null => {
  try {
    const claims = token.split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/")
    const { exp, iat } = JSON.parse(surroundings().atob?.(claims ?? "") ?? "")
    return Number.isFinite(exp - iat) ? (exp - iat) * 1000 : null
  } catch {
    return null
  }
}

/** A session as it is stored. */
export const toStored = ({ accessToken, refreshToken }: TokenPair, userId: string): StoredSession => {
  const lifetime = readLifetime(accessToken)
  const expiresAt = lifetime === null ? null : Date.now() + lifetime
  const refreshAt = lifetime === null ? null : Date.now() + lifetime - Math.min(earlyMillis, lifetime / 4)
  return { accessToken, refreshToken, userId, expiresAt, refreshAt }
}

const parse = (text: string | null): StoredSession | null => {
  try {
    const found = JSON.parse(text ?? "null") as Partial<StoredSession> | null
    const { accessToken, refreshToken, userId, expiresAt = null, refreshAt = null } = found ?? {}
    const isWhole = [accessToken, refreshToken, userId].every((value) => typeof value === "string")
    return isWhole ? ({ accessToken, refreshToken, userId, expiresAt, refreshAt } as StoredSession) : null
  } catch {
    return null
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof HearthError && error.status === 401 && error.code === "INVALID_TOKEN"

/** Keeps the pair of tokens of who is signed in, and refreshes it: once, however many calls and tabs need it. */
export const makeSession = ({ storage, key, refresh, onChange }: SessionOptions) => {
  /** Undefined until it is read. */
  let memory: StoredSession | null | undefined
  /** Whether others were told who is signed in, or nobody where that could not be read. Then they hear of a change. */
  let isTold = false
  let renewing: Promise<StoredSession | null> | undefined

  const adopt = <T extends StoredSession | null>(now: T, reason: SignedOutReason): T => {
    const before = memory ?? null
    const wasTold = isTold
    memory = now
    isTold = true
    if (wasTold && (before?.userId !== now?.userId || before?.accessToken !== now?.accessToken)) {
      onChange(now, before, reason)
    }
    return now
  }

  /** Undefined where the storage cannot be read: whoever was signed in still is. */
  const read = async (): Promise<StoredSession | null | undefined> => {
    const text = await storage.get(key)
    if (text !== undefined) return parse(text)
    isTold = true
    return undefined
  }

  /** What is stored. Rejects where that cannot be read for a while: somebody may be signed in. */
  const readSurely = async (): Promise<StoredSession | null> => {
    for (let tries = 0; tries < moreReads; tries++) {
      const found = await read()
      if (found !== undefined) return found
      await sleep(readPauseMillis)
    }
    throw new HearthError("STORAGE_FAILED", "The storage cannot be read: somebody may be signed in.")
  }

  const current = async (): Promise<StoredSession | null> => {
    if (memory !== undefined) return memory
    const found = await read()
    // Somebody may have signed in during the read.
    if (memory !== undefined) return memory
    return found === undefined ? null : adopt(found, "elsewhere")
  }

  /** Stored before anybody uses it: a refresh token works once, and a lost one ends the session. */
  const write = async <T extends StoredSession | null>(now: T, reason: SignedOutReason): Promise<T> => {
    await storage.set(key, now === null ? null : JSON.stringify(now))
    return adopt(now, reason)
  }

  /** The pair that another tab has stored instead of `used`. */
  const findNewer = async (used: StoredSession): Promise<StoredSession | null> => {
    const found = await read()
    return found && found.refreshToken !== used.refreshToken ? found : null
  }

  const exchange = async (rejected: string): Promise<StoredSession | null> => {
    const found = await read()
    const stored = found === undefined ? (memory ?? null) : found
    if (stored === null) return adopt(null, "elsewhere")
    // Another tab, or an earlier call, has refreshed it already.
    if (stored.accessToken !== rejected) return adopt(stored, "elsewhere")
    try {
      return await write(toStored(await refresh(stored.refreshToken), stored.userId), "elsewhere")
    } catch (error) {
      // Only this says that the session is over. Whatever else has happened, the tokens are kept.
      if (!isRefused(error)) throw error
    }
    let newer = await findNewer(stored)
    if (newer === null) {
      await sleep(raceMillis)
      newer = await findNewer(stored)
    }
    return newer === null ? write(null, "refused") : adopt(newer, "elsewhere")
  }

  /** Runs `work` alone among all tabs. The next one begins when it sees what was stored. */
  const alone = <T>(work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const workAndSettle = async () => {
        await work().then(resolve, reject)
        if (surroundings().document !== undefined) await sleep(settleMillis)
      }
      withLock(key, workAndSettle).catch(reject)
    })

  /** The session with a new pair in place of a token that is refused or about to end; null where nobody is signed in any more. */
  const renew = (rejected: string): Promise<StoredSession | null> => {
    renewing ??= alone(() => exchange(rejected)).finally(() => {
      renewing = undefined
    })
    return renewing
  }

  return {
    current,
    renew,

    /** Who is signed in, for what would replace them; rejects where it is not known. */
    known: async (): Promise<StoredSession | null> => {
      if (memory === undefined) {
        const found = await readSurely()
        if (memory === undefined) adopt(found, "elsewhere")
      }
      return memory ?? null
    },

    /** What is known without waiting. */
    peek: (): StoredSession | null => memory ?? null,

    /** The session with a token that holds for a while. */
    fresh: async (): Promise<StoredSession | null> => {
      const session = await current()
      if (session === null || Date.now() < (session.refreshAt ?? Number.POSITIVE_INFINITY)) return session
      try {
        return await renew(session.accessToken)
      } catch (error) {
        // It still holds: the next call tries again.
        if (Date.now() < (session.expiresAt ?? 0)) return session
        throw error
      }
    },

    /** Replaces the session after a sign-in, or ends it. Waits for a refresh that is under way. */
    replace: (now: StoredSession | null): Promise<StoredSession | null> =>
      alone(async () => {
        await current()
        return write(now, "signed_out")
      }),

    /** Who is signed in; where nobody is, in no tab either, whom `make` signs in. Rejects where that is not known. */
    begin: async (make: () => Promise<StoredSession>): Promise<StoredSession> =>
      (await current()) ??
      alone(async () => adopt(await readSurely(), "elsewhere") ?? write(await make(), "signed_out")),

    /** Reads again what another tab has changed. */
    reload: async (): Promise<void> => {
      const found = await read()
      if (found !== undefined) adopt(found, "elsewhere")
    },
  }
}

/** The session of who is signed in. */
export type Session = ReturnType<typeof makeSession>
