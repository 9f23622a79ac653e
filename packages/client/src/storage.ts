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
  /** Undefined where it cannot be read, which is not the same as nothing being there. */
  get(key: string): Promise<string | null | undefined>
  /** Writes a value, or removes it where it is null. Writes begin at once, so that what is written to a `localStorage` is there. */
  set(key: string, value: string | null): Promise<void>
}

// A device that is locked may need a moment until its storage can be read.
const readPauses = [100, 400]

/** What cannot be written is kept in memory and read from there; it is reported, once until it works again. */
export const makeSafeStorage = (storage: HearthStorage, onError: (error: HearthError) => void): SafeStorage => {
  const unwritten = new Map<string, string | null>()
  let hasFailed = false
  const fail = (cause: unknown) => {
    if (hasFailed) return
    hasFailed = true
    onError(
      new HearthError("STORAGE_FAILED", "The storage cannot be used; what it should keep is in memory.", { cause }),
    )
  }
  return {
    get: async (key) => {
      const pauses = hasFailed ? [] : [...readPauses]
      for (;;) {
        const kept = unwritten.get(key)
        if (kept !== undefined) return kept
        try {
          // Some storages answer undefined for what is not there.
          return (await storage.getItem(key)) ?? null
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
      try {
        await (value === null ? storage.removeItem(key) : storage.setItem(key, value))
        unwritten.delete(key)
        hasFailed = false
      } catch (cause) {
        unwritten.set(key, value)
        fail(cause)
      }
    },
  }
}
