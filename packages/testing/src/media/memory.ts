import { Finite } from "@hearth/core"
import {
  MediaAssetRow,
  type MediaAssets,
  type MediaControlDb,
  type MediaDb,
  MediaFolderRow,
  MediaRemoval,
  ProjectFiles,
} from "@hearth/core/media"
import { Schema } from "effect"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRow, lockRows, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"

/** The folders of a project. */
export const folderShape = describeTable("media folders", MediaFolderRow, {
  parents: { parent_id: "media folders" },
  cleared: ["parent_id"],
  indexed: [["parent_id", "name", "id"]],
})

/** The files of a project. */
export const assetShape = describeTable("media assets", MediaAssetRow, {
  unique: [["path"]],
  parents: { folder_id: "media folders", app_user_id: "users" },
  cleared: ["folder_id"],
})

/** How many bytes they have together: one row. */
export const usageShape = describeTable("media usage", Schema.Struct({ id: Schema.Literal("1"), bytes: Finite }))

/** The files that are to be removed. */
export const removalShape = describeTable("media removals", MediaRemoval, { indexed: [["path"]] })

/** The files of projects that are gone. */
export const projectFilesShape = describeTable("project files", ProjectFiles)

const byTime = (column: "check_at") => [[column, "asc"]] as const

const soonest = (instants: ReadonlyArray<Date | null>) =>
  instants.reduce((first, at) => (at === null || (first !== null && first <= at) ? first : at), null)

const isTaken = (draft: Draft, path: string) =>
  select(draft, assetShape, { path }).length > 0 || select(draft, removalShape, { path }).length > 0

const memoryAssets = (statements: Statements): MediaAssets => {
  const having = (draft: Draft, ids: ReadonlyArray<string>) => {
    const wanted = new Set(keepIds(ids))
    return sorted(
      assetShape,
      select(draft, assetShape, {}).filter(({ id }) => wanted.has(id)),
      [],
    )
  }
  return {
    ...memoryTable(statements, assetShape),
    pageMatching: ({ folder_id, app_user_id }, slice) =>
      statements.query((draft) => {
        const filter = {
          ...(folder_id === undefined ? {} : { folder_id }),
          ...(app_user_id === undefined ? {} : { app_user_id }),
        }
        const order = [
          ["created_at", "desc"],
          ["id", "desc"],
        ] as const
        return pageOf(sorted(assetShape, select(draft, assetShape, filter), order), slice)
      }),
    sumOf: (app_user_id) =>
      statements.query((draft) => {
        const own = select(draft, assetShape, { app_user_id })
        return { assets: own.length, bytes: own.reduce((sum, { size_bytes }) => sum + (size_bytes ?? 0), 0) }
      }),
    freeMillis: (projectId, millis, filename) =>
      statements.query((draft) => {
        let free = millis
        while (isTaken(draft, `${projectId}/${free}_${filename}`)) free += 1
        return free
      }),
    due: (now, limit) =>
      statements.query((draft) =>
        sorted(
          assetShape,
          select(draft, assetShape, {}).filter(({ check_at }) => check_at !== null && check_at <= now),
          byTime("check_at"),
        ).slice(0, limit),
      ),
    nextCheckAt: () =>
      statements.query((draft) => soonest(select(draft, assetShape, {}).map(({ check_at }) => check_at))),
    lockOf: (app_user_id, limit) =>
      statements.query((draft) => {
        const first = sorted(assetShape, select(draft, assetShape, { app_user_id }), [["created_at", "asc"]])
        return lockRows(draft, assetShape, sorted(assetShape, first.slice(0, limit), []), "update")
      }),
    lockAll: (ids) => statements.query((draft) => lockRows(draft, assetShape, having(draft, ids))),
    saveChecked: (rows) =>
      statements.change((draft) => {
        for (const { id, status, size_bytes, check_at } of rows) {
          const present = rowsOf(draft, assetShape).get(id)
          if (present !== undefined)
            replaceRow(draft, assetShape, present, { ...present, status, size_bytes, check_at })
        }
      }),
    removeAll: (ids) =>
      statements.change((draft) => {
        for (const row of having(draft, ids)) removeRow(draft, assetShape, row)
      }),
    move: (folder_id, to) =>
      statements.change((draft) => {
        for (const row of select(draft, assetShape, { folder_id }))
          replaceRow(draft, assetShape, row, { ...row, folder_id: to })
      }),
  }
}

const memoryUsage = (statements: Statements): MediaDb["mediaUsage"] => ({
  lock: () =>
    statements.query((draft) => {
      lockRow(draft, usageShape, "1", "no key update")
      return rowsOf(draft, usageShape).get("1")?.bytes ?? 0
    }),
  add: (bytes) =>
    statements.change((draft) => {
      lockRow(draft, usageShape, "1", "no key update")
      const present = rowsOf(draft, usageShape).get("1")
      if (present === undefined) insertRow(draft, usageShape, { id: "1", bytes })
      else replaceRow(draft, usageShape, present, { ...present, bytes: present.bytes + bytes })
    }),
})

const memoryRemovals = (statements: Statements): MediaDb["mediaRemovals"] => ({
  insertAll: (removals) =>
    statements.change((draft) => {
      for (const removal of removals) insertRow(draft, removalShape, removal)
    }),
  due: (now, limit) =>
    statements.query((draft) =>
      sorted(
        removalShape,
        select(draft, removalShape, {}).filter(({ due_at }) => due_at <= now),
        [["due_at", "asc"]],
      ).slice(0, limit),
    ),
  nextDueAt: () => statements.query((draft) => soonest(select(draft, removalShape, {}).map(({ due_at }) => due_at))),
  removeAll: (ids) =>
    statements.change((draft) => {
      const wanted = new Set(keepIds(ids))
      for (const row of select(draft, removalShape, {})) if (wanted.has(row.id)) removeRow(draft, removalShape, row)
    }),
  postpone: (ids, due_at) =>
    statements.change((draft) => {
      const wanted = new Set(keepIds(ids))
      for (const row of select(draft, removalShape, {}))
        if (wanted.has(row.id)) replaceRow(draft, removalShape, row, { ...row, due_at })
    }),
})

/** What a project has of media, in memory. */
export const memoryMedia = (statements: Statements): MediaDb => ({
  mediaAssets: memoryAssets(statements),
  mediaFolders: {
    ...memoryTable(statements, folderShape),
    move: (parent_id, to) =>
      statements.change((draft) => {
        for (const row of select(draft, folderShape, { parent_id }))
          replaceRow(draft, folderShape, row, { ...row, parent_id: to })
      }),
  },
  mediaUsage: memoryUsage(statements),
  mediaRemovals: memoryRemovals(statements),
})

/** What the control database has of media, in memory. */
export const memoryMediaControl = (statements: Statements): MediaControlDb => ({
  projectFiles: {
    ...memoryTable(statements, projectFilesShape),
    due: (now, limit) =>
      statements.query((draft) =>
        sorted(
          projectFilesShape,
          select(draft, projectFilesShape, {}).filter(({ due_at }) => due_at <= now),
          [["due_at", "asc"]],
        ).slice(0, limit),
      ),
  },
})
