import type { ControlDb, TenantDb } from "@hearth/core"
import { type MediaAssetRow, type MediaFolderRow, mediaAssetsSection, type ProjectFiles } from "@hearth/core/media"
import { Effect } from "effect"
import { anId, builtAt, nextNumber } from "../builders.ts"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"

/** A file of the admin plane that has been uploaded. */
export const aMediaAsset = (given: Partial<MediaAssetRow> = {}): MediaAssetRow => {
  const filename = given.filename ?? "photo.png"
  return {
    ...{ id: anId(), path: `${anId()}/${nextNumber()}_${filename}`, filename, mime_type: "image/png" },
    ...{ size_bytes: 1, folder_id: null, alt_text: null, metadata: {}, app_user_id: null },
    ...{ status: "uploaded", created_at: new Date(builtAt), check_at: null },
    ...given,
  }
}

/** A root folder. */
export const aMediaFolder = (given: Partial<MediaFolderRow> = {}): MediaFolderRow => ({
  ...{ id: anId(), name: "Photos", parent_id: null, created_at: new Date(builtAt) },
  ...given,
})

/** The table of files. */
export const assets: TableCase<TenantDb, MediaAssetRow> = {
  name: "media assets",
  table: (db) => db.mediaAssets,
  row: (_, given) => Effect.sync(() => aMediaAsset(given)),
  samples: [
    { filename: awkwardText, alt_text: awkwardText, metadata: awkwardJson, created_at: awkwardInstant },
    { size_bytes: null, status: "pending", check_at: lateInstant, created_at: earlyInstant },
    { size_bytes: 2 ** 40, path: awkwardText },
  ],
  unique: [["path"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "check_at", ascending: instantsInOrder },
}

/** The table of folders. */
export const folders: TableCase<TenantDb, MediaFolderRow> = {
  name: "media folders",
  table: (db) => db.mediaFolders,
  row: (_, given) => Effect.sync(() => aMediaFolder(given)),
  samples: [{ name: awkwardText, created_at: awkwardInstant }, { name: "" }],
  unique: [],
  sorting: { column: "name", ascending: textsInOrder },
}

/** The table of the files of projects that are gone. */
export const projectFiles: TableCase<ControlDb, ProjectFiles> = {
  name: "project files",
  table: (db) => db.projectFiles,
  row: (_, given) =>
    Effect.sync(() => ({ id: anId(), due_at: new Date(builtAt), last_at: new Date(builtAt), ...given })),
  samples: [{ due_at: awkwardInstant, last_at: lateInstant }],
  unique: [],
  sorting: { column: "due_at", ascending: instantsInOrder },
}

const writeAssets = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const rows = [aMediaAsset({ app_user_id: userId, alt_text: awkwardText }), aMediaAsset({ app_user_id: userId })]
  for (const row of [...rows, aMediaAsset()]) yield* db.mediaAssets.insert(row)
  return { userId, rows }
})

/** What a project promises about the uploads in the file about a user. */
export const assetsSection = sectionContract(mediaAssetsSection, writeAssets)
