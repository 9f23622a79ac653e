import { Effect, Option } from "effect"
import { InvalidInput } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { MediaFolder, MediaFolderRow, NewFolder } from "./asset.ts"
import type { MediaDb } from "./port.ts"

const show = ({ created_at: _, ...folder }: MediaFolderRow): MediaFolder => folder

/** The folders of a project (spec: media). */
export const makeFolders = ({ clock, ids, tenants }: Pick<Ports<MediaDb>, "clock" | "ids" | "tenants">) => {
  /** Locks a folder's parent and then the folder, so that of two removals on one path the upper one is never waited for from below. */
  const lockWithParent = Effect.fnUntraced(function* (db: MediaDb, id: string) {
    for (;;) {
      const seen = Option.getOrNull(yield* db.mediaFolders.find({ id }))
      if (seen === null) return null
      // A parent that is gone by now has left its folders to its own parent.
      if (seen.parent_id !== null && Option.isNone(yield* db.mediaFolders.lock(seen.parent_id, "key share"))) continue
      const folder = Option.getOrNull(yield* db.mediaFolders.lock(id, "update"))
      if (folder === null || folder.parent_id === seen.parent_id) return folder
    }
  })

  return {
    /** Makes a folder, in another one or (`parent_id` null) in the root [I7.3]. `INVALID_INPUT` for a parent that is not there. */
    create: Effect.fn("media.createFolder")((projectId: string, input: NewFolder) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          if (input.parent_id !== null && Option.isNone(yield* db.mediaFolders.lock(input.parent_id, "key share")))
            return yield* new InvalidInput({
              issues: [{ path: "parent_id", message: "must be a folder of the project" }],
            })
          const row = { ...input, id: ids.uuid(), created_at: clock.now() }
          yield* Effect.orDie(db.mediaFolders.insert(row))
          return show(row)
        }),
      ),
    ),

    /** The folders in a folder, or (null) those in the root, by name [I7.3]. */
    list: (projectId: string, parent_id: string | null, slice: Slice) =>
      Effect.map(
        tenants.read(projectId, (db) => db.mediaFolders.page({ parent_id }, [["name", "asc"]], slice)),
        ({ rows, total }) => ({ rows: rows.map(show), total }),
      ),

    /** Removes a folder. What is in it goes to its parent [I7.3]. Nothing happens where there is none. */
    remove: Effect.fn("media.removeFolder")((projectId: string, id: string) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const folder = yield* lockWithParent(db, id)
          if (folder === null) return
          yield* db.mediaFolders.move(id, folder.parent_id)
          yield* db.mediaAssets.move(id, folder.parent_id)
          yield* db.mediaFolders.remove({ id })
        }),
      ),
    ),
  }
}
