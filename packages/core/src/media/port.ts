import type { Effect } from "effect"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { MediaAssetRow, MediaFolderRow, MediaRemoval, ProjectFiles } from "./asset.ts"

/** What a list of files is narrowed to. */
export interface AssetFilter {
  readonly folder_id?: string
  readonly app_user_id?: string
}

/** The files of a project. Unique: `path`. Removed with their user. */
export interface MediaAssets extends Table<MediaAssetRow> {
  /** The newest first. */
  pageMatching(filter: AssetFilter, slice: Slice): Effect.Effect<Page<MediaAssetRow>>
  /** How many files a user has, and how many bytes they have together, the pending ones included. */
  sumOf(userId: string): Effect.Effect<{ readonly assets: number; readonly bytes: number }>
  /**
   * The first millisecond from `millis` on at which this file name is free in the project: no file has that path, and none is to
   * be removed from there. Exact while the caller has locked the usage.
   */
  freeMillis(projectId: string, millis: number, filename: string): Effect.Effect<number>
  /** The pending files whose `check_at` is `now` or before, at most `limit`, the earliest first. */
  due(now: Date, limit: number): Effect.Effect<ReadonlyArray<MediaAssetRow>>
  /** The earliest `check_at`; null where none is pending. */
  nextCheckAt(): Effect.Effect<Date | null>
  /** At most `limit` files of a user, locked for removal in the order of their ids. */
  lockOf(userId: string, limit: number): Effect.Effect<ReadonlyArray<MediaAssetRow>>
  /** These files as they are now, locked for a change in the order of their ids. */
  lockAll(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<MediaAssetRow>>
  /** Writes `status`, `size_bytes` and `check_at` of rows that the caller has locked. */
  saveChecked(rows: ReadonlyArray<MediaAssetRow>): Effect.Effect<void>
  removeAll(ids: ReadonlyArray<string>): Effect.Effect<void>
  /** Moves all files of a folder to another one, or out of all folders. */
  move(from: string, to: string | null): Effect.Effect<void>
}

/** The folders of a project. Files whose folder is removed stay, in none [I7.3]. */
export interface MediaFolders extends Table<MediaFolderRow> {
  /** Moves the folders in a folder to another one, or to the root. */
  move(from: string, to: string | null): Effect.Effect<void>
}

/** How many bytes the files of a project have together, the pending ones included. */
export interface MediaUsage {
  /** The sum, locked until the transaction ends. */
  lock(): Effect.Effect<number>
  /** Adds to the sum; a negative number is taken off. */
  add(bytes: number): Effect.Effect<void>
}

/** The files that are to be removed from the storage. */
export interface MediaRemovals {
  insertAll(removals: ReadonlyArray<MediaRemoval>): Effect.Effect<void>
  /** Those whose time has come, at most `limit`, the longest due first. */
  due(now: Date, limit: number): Effect.Effect<ReadonlyArray<MediaRemoval>>
  nextDueAt(): Effect.Effect<Date | null>
  removeAll(ids: ReadonlyArray<string>): Effect.Effect<void>
  /** Makes these due at another time. */
  postpone(ids: ReadonlyArray<string>, dueAt: Date): Effect.Effect<void>
}

/** What a project has of media. */
export interface MediaDb {
  readonly mediaAssets: MediaAssets
  readonly mediaFolders: MediaFolders
  readonly mediaUsage: MediaUsage
  readonly mediaRemovals: MediaRemovals
}

/** What the control database has of media: the files of projects that are gone. */
export interface MediaControlDb {
  readonly projectFiles: Table<ProjectFiles> & {
    /** Those whose time has come, at most `limit`, the longest due first. */
    due(now: Date, limit: number): Effect.Effect<ReadonlyArray<ProjectFiles>>
  }
}
