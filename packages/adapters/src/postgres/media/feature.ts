import {
  type MediaControlDb,
  type MediaDb,
  type MediaFolderRow,
  type MediaFolders,
  MediaRemoval as MediaRemovalRecord,
  type MediaRemovals,
  type ProjectFiles as ProjectFilesRow,
  type MediaUsage as Usage,
} from "@hearth/core/media"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { ControlFeature, TenantFeature } from "../feature.ts"
import type { TableShape } from "../schema/schema.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"
import { makeMediaAssets } from "./assets.ts"
import { MediaAsset, MediaFolder, MediaRemoval, MediaUsage, media, ProjectFiles, projectFiles } from "./entities.ts"

const makeFolders = (statements: Statements, shape: TableShape): MediaFolders => ({
  ...makeTable<MediaFolderRow>(statements, shape),
  move: (from, to) =>
    Effect.asVoid(statements.rows("update media_folders set parent_id = $2 where parent_id = $1", [from, to])),
})

// Writing the row as it is locks it, also when it is only made now.
const lockUsage = `
  insert into media_usage (id, bytes) values (1, 0)
  on conflict (id) do update set bytes = media_usage.bytes returning bytes`

const addUsage = `
  insert into media_usage (id, bytes) values (1, $1)
  on conflict (id) do update set bytes = media_usage.bytes + excluded.bytes`

const makeUsage = (statements: Statements): Usage => ({
  lock: () => Effect.map(statements.rows<{ readonly bytes: number }>(lockUsage), ([row]) => row?.bytes ?? 0),
  add: (bytes) => Effect.asVoid(statements.rows(addUsage, [bytes])),
})

const removals = rowSet(MediaRemovalRecord)

const makeRemovals = (statements: Statements): MediaRemovals => ({
  insertAll: (rows) =>
    rows.length === 0
      ? Effect.void
      : Effect.asVoid(
          statements.rows(
            `insert into media_removals (${removals.columns.join(", ")})
             select ${removals.columns.join(", ")} from ${removals.from(1)}`,
            removals.values(rows),
          ),
        ),
  due: (now, limit) =>
    statements.rows("select * from media_removals where due_at <= $1 order by due_at, id limit $2", [now, limit]),
  nextDueAt: () =>
    Effect.map(
      statements.rows<{ readonly at: Date | null }>("select min(due_at) as at from media_removals"),
      ([row]) => row?.at ?? null,
    ),
  removeAll: (ids) => Effect.asVoid(statements.rows("delete from media_removals where id = any($1::uuid[])", [ids])),
  postpone: (ids, dueAt) =>
    ids.length === 0
      ? Effect.void
      : Effect.asVoid(
          statements.rows("update media_removals set due_at = $2 where id = any($1::uuid[])", [ids, dueAt]),
        ),
})

/** Media in PostgreSQL. */
export const mediaFeature: TenantFeature<MediaDb> & ControlFeature<MediaControlDb> = {
  tenant: {
    entities: [MediaFolder, MediaAsset, MediaUsage, MediaRemoval],
    steps: [media],
    repositories: {
      mediaAssets: (statements, shapes) => makeMediaAssets(statements, shapes(MediaAsset)),
      mediaFolders: (statements, shapes) => makeFolders(statements, shapes(MediaFolder)),
      mediaUsage: (statements) => makeUsage(statements),
      mediaRemovals: (statements) => makeRemovals(statements),
    },
  },
  control: {
    entities: [ProjectFiles],
    steps: [projectFiles],
    repositories: {
      projectFiles: (statements, shapes) => ({
        ...makeTable<ProjectFilesRow>(statements, shapes(ProjectFiles)),
        due: (now, limit) =>
          statements.rows("select * from project_files where due_at <= $1 order by due_at, id limit $2", [now, limit]),
      }),
    },
  },
}
