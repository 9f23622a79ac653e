import type { TenantDb } from "@hearth/core"
import type { ContentItem, ContentLibrary } from "@hearth/core/content"
import { Effect } from "effect"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { aContentItem, aContentLibrary } from "./builders.ts"

/** The table of libraries. */
export const contentLibraries: TableCase<TenantDb, ContentLibrary> = {
  name: "content libraries",
  table: (db) => db.contentLibraries,
  row: (_, given) => Effect.sync(() => aContentLibrary(given)),
  samples: [
    { name: awkwardText, description: awkwardText, content_schema: awkwardJson, created_at: awkwardInstant },
    { description: null, content_schema: null },
  ],
  unique: [],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "description", ascending: textsInOrder },
}

/** Writes a library and answers its id. */
export const writeLibrary = (db: Pick<TenantDb, "contentLibraries">) => {
  const library = aContentLibrary()
  return Effect.as(Effect.orDie(db.contentLibraries.insert(library)), library.id)
}

/** The table of items. Their authors may be gone. */
export const contentItems: TableCase<TenantDb, ContentItem> = {
  name: "content items",
  table: (db) => db.contentItems,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aContentItem({ ...given, library_id: given.library_id ?? (yield* writeLibrary(db)) })
  }),
  samples: [
    {
      ...{ title: awkwardText, body: awkwardText, media_url: awkwardText, category: awkwardText },
      ...{ tags: [awkwardText, ""], metadata: awkwardJson, is_premium: true, is_active: false },
      ...{ sort_order: -1_000_000_000, moderation: "rejected", created_at: awkwardInstant, updated_at: lateInstant },
    },
    { title: null, media_url: null, category: null, tags: [], metadata: {}, sort_order: 1_000_000_000 },
  ],
  unique: [],
  sorting: { column: "sort_order", ascending: [-10, -9, 0, 9, 10] },
  nullable: { column: "category", ascending: textsInOrder },
}
