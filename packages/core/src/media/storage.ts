import type { Effect } from "effect"
import type { StorageUnavailable } from "./asset.ts"

/** What a file is made of, piece by piece. Nobody holds more than a few pieces. */
export type Bytes = AsyncIterable<Uint8Array>

/** The bytes of a file from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** How many bytes a file may have. */
export interface SizeBounds {
  readonly leastBytes: number
  readonly mostBytes: number
}

/** How writing a file ended. Only a `written` one is there; the others leave nothing. `taken`: there is a file already. */
export type WriteOutcome =
  | { readonly kind: "written"; readonly size_bytes: number }
  | { readonly kind: "too_large" | "taken" | "cut_short" }

/** What an address for an upload allows. */
export interface Upload {
  readonly path: string
  readonly mime_type: string
  readonly size_bytes: number
  readonly seconds: number
}

interface Files {
  /** Whether a file is there, and its size. */
  find(path: string): Effect.Effect<{ readonly size_bytes: number } | null, StorageUnavailable>
  /** Removes files. One that is not there is passed over. Answers those that the storage does not remove. */
  remove(paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, StorageUnavailable>
  /** Removes all files of a project. */
  removeProject(projectId: string): Effect.Effect<void, StorageUnavailable>
}

/** Files on this machine: they come and go through this service. */
export interface LocalStorage extends Files {
  readonly kind: "local"
  /**
   * Writes a file. It appears complete, once it is on the disk, or not at all; of several writers of a path one wins. A body
   * that fails before its end, or has fewer than `leastBytes`, is `cut_short`; one of more than `mostBytes` is `too_large`.
   */
  write(path: string, body: Bytes, size: SizeBounds): Effect.Effect<WriteOutcome, StorageUnavailable>
  /**
   * A part of a file, read as it is taken; null where there is no file. A piece holds until the next is asked for; but for the last,
   * pieces are larger than what a connection takes without waiting. Leaving it early lets the file go.
   */
  read(path: string, range: ByteRange): Effect.Effect<Bytes | null, StorageUnavailable>
}

/** Files elsewhere: they are sent to and fetched from there, and do not pass through this service. */
export interface RemoteStorage extends Files {
  readonly kind: "remote"
  /** Where the file is sent with PUT: with this type and size, once, within the time. */
  presign(upload: Upload): Effect.Effect<string, StorageUnavailable>
  /** The public address of a file. */
  address(path: string): string
  /** The origins of these addresses, those of `presign` included: what pages that send and show files must be allowed to ask. */
  readonly origins: ReadonlyArray<string>
}

/**
 * Where the files of all projects are. Paths are `<projectId>/<ms>_<filename>` [I7.2], in which case matters; names may be as long as
 * those of assets. A file comes back as it was sent.
 */
export type Storage = LocalStorage | RemoteStorage
