import { Effect } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Moderate } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { ContentItem, ContentItemChanges, NewContentItem, UnplacedItem } from "./item.ts"
import type { ContentDb } from "./port.ts"
import { changesText, hasText } from "./texts.ts"

/** Which items of a library a developer asks for. */
export interface ItemsQuery extends Slice {
  /** The inactive ones where it is false. Left out is true. */
  readonly is_active?: boolean
}

/** Items, as developers write them (spec: admin plane, content; I1.1, I1.2). What they write is not moderated [I6.2]. */
export const makeItems = (
  { clock, ids, tenants }: Pick<Ports<ContentDb & ModerationDb>, "clock" | "ids" | "tenants">,
  moderate: Pick<Moderate<ModerationDb>, "noteChange">,
) => {
  const build =
    (library_id: string, at: Date) =>
    (item: NewContentItem): UnplacedItem => ({
      ...item,
      ...{ id: ids.uuid(), library_id, is_active: true, owner_app_user_id: null, moderation: "shown" },
      ...{ created_at: at, updated_at: at },
    })

  const insert = Effect.fn("content.insertItems")(function* (
    projectId: string,
    libraryId: string,
    items: ReadonlyArray<NewContentItem>,
  ) {
    const rows = items.map(build(libraryId, clock.now()))
    const first = yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.contentLibraries.lock(libraryId), NotFound)
        return yield* db.contentItems.append(libraryId, rows)
      }),
    )
    return rows.map((row, at): ContentItem => ({ ...row, sort_order: first + at }))
  })

  return {
    /**
     * Adds 1 to 500 items at the end of a library, all of them or none, and answers them in their order [I1.2]. `NOT_FOUND` without the
     * library.
     */
    insert,

    /** Adds 1 to 5,000 items like `insert`, and answers how many. `NOT_FOUND` without the library [E11]. */
    importAll: (projectId: string, libraryId: string, items: ReadonlyArray<NewContentItem>) =>
      Effect.map(insert(projectId, libraryId, items), (rows) => ({ imported: rows.length })),

    /**
     * The active items of a library, or its inactive ones, by `sort_order` (spec: admin plane, content). `NOT_FOUND` without the library.
     */
    list: Effect.fn("content.listItems")((projectId: string, libraryId: string, query: ItemsQuery) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.contentLibraries.find({ id: libraryId }), NotFound)
          const { is_active = true, ...slice } = query
          return yield* db.contentItems.pageOfLibrary(libraryId, { reader: null, category: null, is_active }, slice)
        }),
      ),
    ),

    /** Changes the fields that are given. A change of `is_active` or of a text makes the item shown [I6.3]. `NOT_FOUND`. */
    update: Effect.fn("content.updateItem")((projectId: string, id: string, changes: ContentItemChanges) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const item = yield* orFail(db.contentItems.lock(id), NotFound)
          if (Object.keys(changes).length === 0) return item
          if (changesText(item, changes)) yield* moderate.noteChange(db, "content_item", id)
          const shows = hasText(changes) || changes.is_active !== undefined
          const judged = shows ? ({ moderation: "shown" } as const) : {}
          const changed = db.contentItems.update(id, { ...changes, ...judged, updated_at: clock.now() })
          return yield* orFail(Effect.orDie(changed), NotFound)
        }),
      ),
    ),

    /** Removes an item. Nothing happens where there is none (spec: admin plane, content). */
    remove: (projectId: string, id: string) => tenants.transact(projectId, (db) => db.contentItems.remove({ id })),
  }
}
