import { hash, randomUUID } from "node:crypto"
import { type FileHandle, link, lstat, mkdir, open, readdir, rm, stat, unlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import {
  type ByteRange,
  type Bytes,
  type LocalStorage,
  type SizeBounds,
  StorageUnavailable,
  type WriteOutcome,
} from "@hearth/core/media"
import { Effect } from "effect"
import { makeFolder } from "../system/make-folder.ts"
import { openPlainFile } from "../system/open-file.ts"
import { findUnwritable } from "./find-unwritable.ts"

/** Where local files are, and who else uses them. */
export interface LocalFilesOptions {
  /** The folder of all files. */
  readonly folder: string
  /** Whether it is made where it is not there. Without it nothing can be done then: it may be the folder of another machine. */
  readonly makesFolder: boolean
  /** Whether no other process writes there: then what was begun before this one is left over. */
  readonly isOnlyProcess: boolean
  /** Called with what went wrong, for the log. */
  readonly onFault: (cause: unknown) => void
  /** Called once where it is to make the folder and cannot, or may not write in it; with an error code. */
  readonly onUnwritable?: (reason: string) => void
}

const draftsFolder = ".uploads"
// No upload takes this long: a draft that is older was left by a process that died.
const abandonedMillis = 2 * 60 * 60_000
// How often one looks for them, when files are sent.
const sweepMillis = 10 * 60_000
// Larger than what a connection takes without waiting (64 KB): only then may the buffer be used again when the next piece is asked
// for. Small enough for many readers.
const pieceBytes = 256 * 1024

const pathPattern = /^([0-9a-f-]{36})\/(\d{1,16})_(.+)$/s

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code

const mostNameBytes = 255
const hashPattern = /^[0-9a-f]{40}$/i

/**
 * The names that a file may have in the folder of its project. The first is the one that is given: the millisecond and a hash of the
 * file name, which may be longer than a disk takes, and differ from another only in what a disk does not tell apart. The second is that
 * of a bucket, from which files may have been copied; there is none where it could be that of another file.
 */
export const namesOnDisk = (path: string): readonly [own: string, ...ofBucket: ReadonlyArray<string>] => {
  const [, , millis, filename] = pathPattern.exec(path) ?? []
  if (filename === undefined) throw new TypeError("This is no path of a file.")
  const own = `${millis}_${hash("sha256", filename, "hex").slice(0, 40)}`
  const plain = `${millis}_${filename}`
  const isFree = !/[/\\\0]/.test(filename) && !hashPattern.test(filename) && Buffer.byteLength(plain) <= mostNameBytes
  return isFree ? [own, plain] : [own]
}

/** Where a file may be on the disk: first where one is written. */
const locate = (folder: string, path: string): readonly [string, ...ReadonlyArray<string>] => {
  const [own, ...others] = namesOnDisk(path)
  const at = (name: string) => join(folder, path.slice(0, 36), name)
  return [at(own), ...others.map(at)]
}

const syncFolder = async (folder: string) => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Copies a body to a file. Answers its size, or why it has none; fails where the file cannot be written. */
const copy = async (body: Bytes, file: FileHandle, mostBytes: number): Promise<number | "too_large" | "cut_short"> => {
  const source = body[Symbol.asyncIterator]()
  let size = 0
  for (;;) {
    const piece = await source.next().catch(() => null)
    if (piece === null) return "cut_short"
    if (piece.done === true) return size
    size += piece.value.byteLength
    if (size > mostBytes) {
      await source.return?.()
      return "too_large"
    }
    await file.writeFile(piece.value).catch(async (error) => {
      // As on a full disk. Its sender reads the answer only when what is still coming is taken.
      await source.return?.()
      throw error
    })
  }
}

/** Reads a part of a file into one buffer, again and again, so that memory does not grow with what is sent. */
const readPieces = (file: FileHandle, { start, end }: ByteRange): Bytes => {
  const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - start + 1))
  let at = start
  const finish = async () => {
    await file.close()
    return { done: true, value: undefined } as const
  }
  const next = async () => {
    const wanted = Math.min(buffer.length, end - at + 1)
    let filled = 0
    while (filled < wanted) {
      const { bytesRead } = await file.read(buffer, filled, wanted - filled, at + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    at += filled
    return filled === 0 ? await finish() : { done: false, value: buffer.subarray(0, filled) }
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => next().catch((error) => finish().then(() => Promise.reject(error))),
      return: finish,
    }),
  }
}

/** Gives a draft its name, which none has so far: a link, unlike a rename, never replaces a file. */
const place = async (draft: string, file: string): Promise<boolean> => {
  const folder = dirname(file)
  if ((await mkdir(folder, { recursive: true })) !== undefined) await syncFolder(dirname(folder))
  try {
    await link(draft, file)
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
    throw error
  }
  await syncFolder(folder)
  return true
}

const isThere = (file: string) =>
  stat(file).then(
    () => true,
    (error) => {
      if (hasCode(error, "ENOENT")) return false
      throw error
    },
  )

/** Removes drafts that nobody writes any more. */
const removeDrafts = async (folder: string, isOnlyProcess: boolean) => {
  const before = Date.now() - abandonedMillis
  const names = await readdir(folder).catch((error) => {
    if (hasCode(error, "ENOENT")) return []
    throw error
  })
  for (const name of names) {
    const draft = join(folder, name)
    const found = await stat(draft).catch(() => null)
    if (found !== null && (isOnlyProcess || found.mtimeMs < before)) await rm(draft, { force: true })
  }
}

/** Opens files on this machine [I7.2]. */
export const openLocalFiles = async (options: LocalFilesOptions): Promise<LocalStorage> => {
  const { folder, makesFolder, isOnlyProcess, onFault, onUnwritable = onFault } = options
  const drafts = join(folder, draftsFolder)
  // The folder is made when it is needed, so that a service that never is sent a file needs no disk.
  const reason = makesFolder ? await findUnwritable(drafts) : null
  if (reason !== null) onUnwritable(reason)
  else if (makesFolder) await removeDrafts(drafts, isOnlyProcess).catch(onFault)

  const use = <A>(work: () => Promise<A>): Effect.Effect<A, StorageUnavailable> =>
    Effect.tryPromise({
      // Without the folder nothing can be said about its files.
      try: async () => {
        await (makesFolder ? makeFolder(drafts, 0o700) : stat(drafts))
        return await work()
      },
      catch: (cause) => {
        onFault(cause)
        return new StorageUnavailable()
      },
    })

  let sweptAt = Number.NEGATIVE_INFINITY
  // What another process has left is not old enough when that one starts again, and this one may run for months.
  const sweep = async () => {
    if (performance.now() - sweptAt < sweepMillis) return
    sweptAt = performance.now()
    await removeDrafts(drafts, false).catch(onFault)
  }

  const write = async (path: string, body: Bytes, { leastBytes, mostBytes }: SizeBounds): Promise<WriteOutcome> => {
    await sweep()
    const [file, ...others] = locate(folder, path)
    for (const each of [file, ...others]) if (await isThere(each)) return { kind: "taken" }
    const draft = join(drafts, randomUUID())
    const handle = await open(draft, "wx", 0o600)
    try {
      const size = await copy(body, handle, mostBytes)
      if (typeof size === "string") return { kind: size }
      if (size < leastBytes) return { kind: "cut_short" }
      await handle.sync()
      return (await place(draft, file)) ? { kind: "written", size_bytes: size } : { kind: "taken" }
    } finally {
      await handle.close()
      await unlink(draft)
    }
  }

  const orNothing = <A>(work: Promise<A>) =>
    work.catch((error) => {
      if (hasCode(error, "ENOENT")) return null
      throw error
    })

  return {
    kind: "local",
    write: (path, body, size) => use(() => write(path, body, size)),
    read: (path, { start, end }) =>
      use(async () => {
        for (const file of locate(folder, path)) {
          const handle = await openPlainFile(file)
          if (handle !== null) return readPieces(handle, { start, end })
        }
        return null
      }),
    find: (path) =>
      use(async () => {
        for (const file of locate(folder, path)) {
          const found = await orNothing(lstat(file))
          if (found?.isFile() === true) return { size_bytes: found.size }
        }
        return null
      }),
    remove: (paths) =>
      use(async () => {
        const kept: Array<string> = []
        for (const path of paths)
          await Promise.all(locate(folder, path).map((file) => rm(file, { force: true }))).catch((cause) => {
            onFault(cause)
            kept.push(path)
          })
        return kept
      }),
    removeProject: (projectId) =>
      use(() => rm(dirname(locate(folder, `${projectId}/0_0`)[0]), { recursive: true, force: true })),
  }
}
