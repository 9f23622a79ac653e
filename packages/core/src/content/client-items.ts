import { Effect, Option } from "effect"
import { InvalidToken, NotFound, QuotaExceeded } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { ContentRejected, Moderate } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { UsersDb } from "../users/port.ts"
import type { ClientItemChanges, ContentItem, NewClientItem, UnplacedItem } from "./item.ts"
import type { ContentDb } from "./port.ts"
import { changesText, hasText, readTexts } from "./texts.ts"
import { isVisible } from "./visible.ts"

type Db = ContentDb & ModerationDb & UsersDb

/** The most items of a user [I0.2]. */
const mostOwnedItems = 5_000

/** A query of the items of a library. */
export interface ClientItemQuery extends Slice {
  readonly category?: string
}

/** Items as users read and write them (spec: client plane, content; I1, I6). What is not theirs to see is not there. */
export const makeClientItems = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  moderate: Pick<Moderate<Db>, "check" | "noteChange" | "record">,
) => ({
  /**
   * What the user sees of a library, by `sort_order`; of one category, where that is asked for (spec: client plane, content). `NOT_FOUND`
   * without the library.
   */
  list: Effect.fn("content.listVisible")(
    (projectId: string, userId: string, libraryId: string, { category, ...slice }: ClientItemQuery) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.contentLibraries.find({ id: libraryId }), NotFound)
          return yield* db.contentItems.pageOfLibrary(libraryId, { reader: userId, category: category ?? null }, slice)
        }),
      ),
  ),

  /** One item that the user sees [I6.3]. `NOT_FOUND` also for one that is not shown. */
  get: (projectId: string, userId: string, id: string) =>
    orFail(
      Effect.map(
        tenants.read(projectId, (db) => db.contentItems.find({ id })),
        Option.filter((item) => isVisible(item, userId)),
      ),
      NotFound,
    ),

  /**
   * Adds an item of the user's at the end of a library. It is active (spec: client plane, content). `NOT_FOUND` without the library;
   * `CONTENT_REJECTED` by a rule [I6.1]; `QUOTA_EXCEEDED` over 5,000 items of the user [I0.2]; `INVALID_TOKEN` for a user who is gone.
   */
  create: Effect.fn("content.createOwn")(function* (
    projectId: string,
    userId: string,
    libraryId: string,
    input: NewClientItem,
  ) {
    const findings = yield* moderate.check(projectId, readTexts(input))
    const id = ids.uuid()
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        // Locked as whoever counts against a quota: of two calls at once the second sees what the first has written.
        yield* orFail(db.users.lock(userId), InvalidToken)
        yield* orFail(db.contentLibraries.lock(libraryId), NotFound)
        if ((yield* db.contentItems.countOwned(userId)) >= mostOwnedItems)
          return yield* new QuotaExceeded({ limit: mostOwnedItems })
        const content = { content_type: "content_item", content_id: id, app_user_id: userId } as const
        const moderation = yield* moderate.record(db, findings, content, null)
        const at = clock.now()
        const item: UnplacedItem = {
          ...{ ...input, id, library_id: libraryId, is_premium: false, is_active: true },
          ...{ owner_app_user_id: userId, moderation, created_at: at, updated_at: at },
        }
        const sort_order = yield* db.contentItems.append(libraryId, [item])
        return { ...item, sort_order } satisfies ContentItem
      }),
    )
  }),

  /**
   * Changes the fields of the user's own item that are given. `NOT_FOUND`, also for another's; `CONTENT_REJECTED` by a rule [I6.1];
   * `INVALID_TOKEN` for a user who is gone.
   */
  update: Effect.fn("content.updateOwn")(function* (
    projectId: string,
    userId: string,
    id: string,
    changes: ClientItemChanges,
  ) {
    const isOwn = (item: ContentItem) => item.owner_app_user_id === userId
    const findOwn = tenants.read(projectId, (db) => Effect.map(db.contentItems.find({ id }), Option.filter(isOwn)))
    // Whoever may not change it is told so, whatever the text.
    const refuse = (refusal: ContentRejected) => Effect.andThen(orFail(findOwn, NotFound), Effect.fail(refusal))
    const findings = hasText(changes)
      ? yield* Effect.catchTag(moderate.check(projectId, readTexts(changes)), "ContentRejected", refuse)
      : null
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.users.lock(userId, "key share"), InvalidToken)
        const item = yield* orFail(Effect.map(db.contentItems.lock(id), Option.filter(isOwn)), NotFound)
        if (Object.keys(changes).length === 0) return item
        const content = { content_type: "content_item", content_id: id, app_user_id: userId } as const
        // What a moderator has approved stays so where an app sends it again with something else.
        const isNew = changesText(item, changes)
        if (isNew) yield* moderate.noteChange(db, "content_item", id)
        const moderation =
          isNew && findings !== null ? yield* moderate.record(db, findings, content, item.moderation) : item.moderation
        const changed = db.contentItems.update(id, { ...changes, moderation, updated_at: clock.now() })
        return yield* orFail(Effect.orDie(changed), NotFound)
      }),
    )
  }),

  /** Removes the user's own item (spec: client plane, content). `NOT_FOUND`, also for another's. */
  remove: Effect.fn("content.removeOwn")(function* (projectId: string, userId: string, id: string) {
    const removed = yield* tenants.transact(projectId, (db) =>
      db.contentItems.remove({ id, owner_app_user_id: userId }),
    )
    if (removed === 0) return yield* new NotFound()
  }),
})
