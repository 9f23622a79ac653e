import { type LocalStorage, StorageUnavailable } from "@hearth/core/media"
import { Effect } from "effect"

/** Files in memory, for small ones. */
export interface MemoryStorage extends LocalStorage {
  /** The paths of all files. */
  paths(): ReadonlyArray<string>
  /** Makes every call fail, until it is called with false. */
  fail(isUnreachable: boolean): void
}

/** A new storage without files. */
export const memoryStorage = (): MemoryStorage => {
  const files = new Map<string, Uint8Array>()
  let isUnreachable = false
  const use = <A>(work: () => A) =>
    Effect.suspend(() => (isUnreachable ? Effect.fail(new StorageUnavailable()) : Effect.sync(work)))

  const collect = async (body: AsyncIterable<Uint8Array>, most: number) => {
    const bytes: Array<number> = []
    for await (const chunk of body) {
      bytes.push(...chunk)
      if (bytes.length > most) return "too_large"
    }
    return Uint8Array.from(bytes)
  }

  return {
    kind: "local",
    paths: () => [...files.keys()].sort(),
    fail: (value) => {
      isUnreachable = value
    },
    write: (path, body, { leastBytes, mostBytes }) =>
      Effect.gen(function* () {
        yield* use(() => {})
        const bytes = yield* Effect.promise(() => collect(body, mostBytes).catch(() => "cut_short" as const))
        if (bytes === "too_large" || bytes === "cut_short") return { kind: bytes }
        if (bytes.length < leastBytes) return { kind: "cut_short" }
        if (files.has(path)) return { kind: "taken" }
        files.set(path, bytes)
        return { kind: "written", size_bytes: bytes.length }
      }),
    read: (path, { start, end }) =>
      use(() => {
        const bytes = files.get(path)
        if (bytes === undefined) return null
        const part = bytes.slice(start, end + 1)
        return (async function* () {
          if (part.length > 0) yield part
        })()
      }),
    find: (path) =>
      use(() => {
        const bytes = files.get(path)
        return bytes === undefined ? null : { size_bytes: bytes.length }
      }),
    remove: (paths) =>
      use(() => {
        for (const path of paths) files.delete(path)
        return []
      }),
    removeProject: (projectId) =>
      use(() => {
        for (const path of files.keys()) if (path.startsWith(`${projectId}/`)) files.delete(path)
      }),
  }
}
