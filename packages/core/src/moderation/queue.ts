import { Effect } from "effect"
import { NotFound } from "../failure.ts"
import { type ListQuery, readList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { ContentType, ModeratedContent } from "./content.ts"
import type { ModerationDb } from "./port.ts"
import type { QueueItemRow, QueueStatus } from "./queue-item.ts"
import { digestText } from "./text-digest.ts"

/** Which items are listed: those of all types where none is named. */
export interface QueueQuery extends ListQuery {
  readonly content_type?: ContentType | null
  /** Only what this user has made. */
  readonly user_id?: string | null
}

type Action = "approve" | "reject" | "escalate"

/** What has decided: the admin plane (spec: moderation state table). */
const moderator = "admin"

const isOpen = ({ status }: QueueItemRow) => status === "pending" || status === "escalated"

/** What waits for moderators, and their decisions (spec: moderation queue; I6.3). */
export const makeModerationQueue = <Db extends ModerationDb>(
  { clock, signatures, tenants }: Pick<Ports<Db>, "clock" | "signatures" | "tenants">,
  contents: ReadonlyArray<ModeratedContent<Db>>,
) => {
  /** Shows or hides the content, and answers what the item becomes. `found` is null where the content is gone. */
  const resolve = Effect.fnUntraced(function* (
    db: Db,
    action: Exclude<Action, "escalate">,
    content: ModeratedContent<Db>,
    found: Effect.Success<ReturnType<ModeratedContent<Db>["find"]>>,
  ) {
    const now = clock.now()
    const resolved = { moderator_id: moderator, resolved_at: now, is_open: null }
    if (action === "reject") {
      if (found !== null) yield* content.hide(db, found.content_id, now)
      return { ...resolved, status: "rejected", text_digest: null } as const
    }
    if (found !== null) yield* content.show(db, found.content_id, now)
    return {
      ...resolved,
      status: "approved",
      text_digest: found === null ? null : digestText(signatures, found),
    } as const
  })

  const decide = (action: Action) =>
    Effect.fn(`moderationQueue.${action}`)(function* (projectId: string, id: string) {
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const seen = yield* orFail(db.moderationQueue.find({ id }), NotFound)
          const content = contents.find(({ content_type }) => content_type === seen.content_type)
          if (content !== undefined && isOpen(seen)) {
            // The content before its item, as everywhere; what the item was may have changed meanwhile.
            const found = yield* content.find(db, seen.content_id, { lock: true })
            const item = yield* orFail(db.moderationQueue.lock(id), NotFound)
            if (isOpen(item)) {
              const changes =
                action === "escalate" ? ({ status: "escalated" } as const) : yield* resolve(db, action, content, found)
              yield* Effect.orDie(db.moderationQueue.update(id, changes))
            }
          }
          return yield* orFail(db.moderationQueue.show(id, null), NotFound)
        }),
      )
    })

  return {
    /** The items of a status, the newest first [I6.2]. */
    list: (projectId: string, status: QueueStatus, { content_type = null, user_id = null, ...query }: QueueQuery) =>
      tenants.read(projectId, ({ moderationQueue }) => {
        const filter = { status, content_type, app_user_id: user_id }
        return readList(query, {
          page: (slice) => moderationQueue.pageShown(filter, slice),
          after: (place, slice) => moderationQueue.listShownAfter(filter, place, slice),
          place: ({ created_at, id }) => ({ at: created_at, id }),
        })
      }),
    /** Shows the content. A resolved item is answered as it is [I6.3]. `NOT_FOUND`. */
    approve: decide("approve"),
    /** Hides the content. A resolved item is answered as it is [I6.3]. `NOT_FOUND`. */
    reject: decide("reject"),
    /** Leaves the decision to somebody else. A resolved item is answered as it is [I6.3]. `NOT_FOUND`. */
    escalate: decide("escalate"),
  }
}
