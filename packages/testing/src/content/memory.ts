import {
  ContentItem,
  type ContentItems,
  type ContentLibraries,
  ContentLibrary,
  type ItemFilter,
  isVisible,
} from "@hearth/core/content"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRows, removeRow, replaceRow } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"

/** The table of libraries. */
export const libraryShape = describeTable("content libraries", ContentLibrary)

/** The table of items. */
export const itemShape = describeTable("content items", ContentItem, {
  parents: { library_id: libraryShape.name, owner_app_user_id: "users" },
  cleared: ["owner_app_user_id"],
})

/** Collections of items. */
export const memoryLibraries = (statements: Statements): ContentLibraries => ({
  ...memoryTable(statements, libraryShape),
  pageWithCounts: (slice) =>
    statements.query((draft) => {
      const libraries = sorted(libraryShape, select(draft, libraryShape, {}), [["created_at", "asc"]])
      const { rows, total } = pageOf(libraries, slice)
      const count = (library_id: string) => select(draft, itemShape, { library_id }).length
      return { rows: rows.map((library) => ({ ...library, item_count: count(library.id) })), total }
    }),
})

const matching = (draft: Draft, library_id: string, { reader, category, is_active = true }: ItemFilter) =>
  select(draft, itemShape, { library_id, is_active, ...(category === null ? {} : { category }) }).filter(
    (item) => reader === null || isVisible(item, reader),
  )

/** What libraries hold. */
export const memoryItems = (statements: Statements): ContentItems => ({
  ...memoryTable(statements, itemShape),
  append: (library_id, items) =>
    statements.change((draft) => {
      if (items.length === 0) throw new RangeError("There are no items to append.")
      const present = select(draft, itemShape, { library_id })
      const last = present.reduce(
        (highest, { sort_order }) => Math.max(highest, sort_order),
        present[0]?.sort_order ?? 0,
      )
      for (const [at, item] of items.entries()) insertRow(draft, itemShape, { ...item, sort_order: last + at + 1 })
      return last + 1
    }),
  pageOfLibrary: (libraryId, filter, slice) =>
    statements.query((draft) =>
      pageOf(sorted(itemShape, matching(draft, libraryId, filter), [["sort_order", "asc"]]), slice),
    ),
  countOwned: (owner_app_user_id) =>
    statements.query((draft) => select(draft, itemShape, { owner_app_user_id }).length),
  newestOfUsers: (limit) =>
    statements.query((draft) => {
      const written = select(draft, itemShape, {}).filter(({ owner_app_user_id }) => owner_app_user_id !== null)
      return sorted(itemShape, written, [
        ["created_at", "desc"],
        ["id", "desc"],
      ])
        .slice(0, limit)
        .map(({ id, created_at }) => ({ id, created_at }))
    }),
  release: (owner_app_user_id, limit) =>
    statements.change((draft) => {
      const some = sorted(itemShape, select(draft, itemShape, { owner_app_user_id }), []).slice(0, limit)
      for (const item of lockRows(draft, itemShape, some))
        replaceRow(draft, itemShape, item, { ...item, owner_app_user_id: null })
      return some.length
    }),
  removeSome: (library_id, limit) =>
    statements.change((draft) => {
      const some = sorted(itemShape, select(draft, itemShape, { library_id }), []).slice(0, limit)
      for (const item of lockRows(draft, itemShape, some, "update")) removeRow(draft, itemShape, item)
      return some.length
    }),
})
