import { HearthError } from "./error.ts"
import { sleep, surroundings } from "./surroundings.ts"

/** Where tokens and waiting events are kept. `localStorage` and React Native's `AsyncStorage` are such. */
export interface HearthStorage {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}

/** Keeps everything until the process ends. */
export const memoryStorage = (): HearthStorage => {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

/** `localStorage` in browsers, memory elsewhere. */
export const defaultStorage = (): HearthStorage => {
  // Node has a localStorage too, which warns when it is touched and throws without a file.
  if (surroundings().document === undefined) return memoryStorage()
  try {
    const storage = surroundings().localStorage as HearthStorage | undefined
    return storage ?? memoryStorage()
  } catch {
    // Forbidden by the browser's settings.
    return memoryStorage()
  }
}

/** A storage that never throws. */
export interface SafeStorage {
  /** Where it keeps everything. */
  readonly source: object
  /** Undefined where it cannot be read, which is not the same as nothing being there. */
  get(key: string): Promise<string | null | undefined>
  /** Writes a value, or removes it where it is null. Writes begin at once, so that what is written to a `localStorage` is there. */
  set(key: string, value: string | null): Promise<void>
}

// A device that is locked may need a moment until its storage can be read.
const readPauses = [100, 400]
const retryMillis = 5_000

/**
 * What cannot be written is kept in memory and read from there; it is reported, once until it works again. It is tried again with
 * the next use of the storage and after a while, and gives way to what another tab has stored meanwhile.
 */
export const makeSafeStorage = (storage: HearthStorage, onError: (error: HearthError) => void): SafeStorage => {
  const unwritten = new Map<string, string | null>()
  /** What was last read or written here: anything else in the storage is another tab's. */
  const seen = new Map<string, string | null>()
  let hasFailed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let retrying: Promise<void> | undefined
  const fail = (cause: unknown) => {
    if (hasFailed) return
    hasFailed = true
    onError(
      new HearthError("STORAGE_FAILED", "The storage cannot be used; what it should keep is in memory.", { cause }),
    )
  }

  const read = async (key: string): Promise<string | null> => {
    // Some storages answer undefined for what is not there.
    return (await storage.getItem(key)) ?? null
  }

  const write = async (key: string, value: string | null): Promise<void> => {
    await (value === null ? storage.removeItem(key) : storage.setItem(key, value))
    seen.set(key, value)
    if (unwritten.get(key) === value) unwritten.delete(key)
  }

  /** Notes whether the storage works, and tries again later what it does not have yet. */
  const settle = (): void => {
    hasFailed = unwritten.size > 0
    if (!hasFailed || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      void retry()
    }, retryMillis)
    // A program without anything else to do need not live on for a storage that fails.
    const { unref } = timer as unknown as { unref?: () => void }
    unref?.call(timer)
  }

  const retryAll = async (): Promise<void> => {
    for (const [key, value] of unwritten) {
      try {
        const text = await read(key)
        // Something else was set during the read.
        if (unwritten.get(key) !== value) continue
        if (!seen.has(key) || seen.get(key) === text) await write(key, value)
        else {
          seen.set(key, text)
          unwritten.delete(key)
        }
      } catch {
        // It stays in memory, and was reported.
      }
    }
    settle()
  }

  const retry = (): Promise<void> => {
    retrying ??= retryAll().finally(() => {
      retrying = undefined
    })
    return retrying
  }

  return {
    source: storage,
    get: async (key) => {
      if (unwritten.size > 0) await retry()
      const pauses = hasFailed ? [] : [...readPauses]
      for (;;) {
        const kept = unwritten.get(key)
        if (kept !== undefined) return kept
        try {
          const text = await read(key)
          seen.set(key, text)
          return text
        } catch (cause) {
          const pause = pauses.shift()
          if (pause === undefined) {
            fail(cause)
            return undefined
          }
          await sleep(pause)
        }
      }
    },
    set: async (key, value) => {
      // No retry may write the value of before over this one.
      if (unwritten.has(key)) unwritten.set(key, value)
      if (retrying !== undefined) await retrying
      try {
        await write(key, value)
        if (unwritten.size > 0) void retry()
      } catch (cause) {
        unwritten.set(key, value)
        fail(cause)
      }
      settle()
    },
  }
}
