import { Effect, Option } from "effect"
import { NotFound } from "../failure.ts"
import { type ListQuery, readList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { lockMessage } from "./lock-message.ts"
import type { MessagePosition } from "./message-cursor.ts"
import type { MessagingDb } from "./port.ts"

/** Which messages of a conversation a developer asks for. */
export interface AdminMessagesQuery extends Slice {
  /** Reads on after this position, or from `start`: then the answer has `next_cursor`, null at the end. */
  readonly cursor?: MessagePosition | "start"
}

const dayMillis = 86_400_000

/** What developers see and remove of conversations (spec: admin plane, messaging). */
export const makeAdminMessaging = ({ clock, tenants }: Pick<Ports<MessagingDb>, "clock" | "tenants">) => ({
  /** How many conversations and messages there are. With a message in the last 24 hours a conversation is active [I4.4]. */
  stats: (projectId: string) =>
    tenants.read(projectId, (db) => db.conversations.stats(new Date(clock.now().getTime() - dayMillis))),

  /**
   * All conversations, the latest first. One in which somebody writes while the list is read on by cursors is at its front then: the
   * pages that are still to come do not have it [I4.1].
   */
  conversations: (projectId: string, query: ListQuery) =>
    tenants.read(projectId, ({ conversations }) =>
      readList(query, {
        page: (slice) => conversations.pageOfAll(slice),
        after: (place, slice) => conversations.listOfAll(place, slice),
        place: ({ newest_at, id }) => ({ at: newest_at, id }),
      }),
    ),

  /**
   * The messages of a conversation with all that is held or rejected, the newest first. With a cursor a page may be short: only a
   * `next_cursor` of null is the end. `NOT_FOUND` without the conversation [I4.2].
   */
  messages: Effect.fn("adminMessaging.messages")(
    (projectId: string, id: string, { cursor, ...slice }: AdminMessagesQuery) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db: MessagingDb) {
          yield* orFail(db.conversations.find({ id }), NotFound)
          const before = cursor === undefined || cursor === "start" ? null : cursor.number
          const { last_number, ...page } = yield* db.messages.pageForAdmin(id, before, slice)
          if (cursor === undefined) return page
          const { rows, total, is_cut = false } = page
          const isLast = last_number === null || (rows.length < slice.limit && !is_cut)
          return { rows, total, next_cursor: isLast ? null : { number: last_number } }
        }),
      ),
  ),

  /** Removes a message altogether. Nothing happens where there is none [I4.2]. */
  remove: Effect.fn("adminMessaging.remove")((projectId: string, id: string) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db: MessagingDb) {
        const found = yield* lockMessage(db, id)
        if (Option.isNone(found)) return
        const { conversation_id, moderation } = found.value
        yield* db.messages.remove({ id })
        yield* db.conversations.refresh(conversation_id, { messages: -1, held: moderation === "held" ? -1 : 0 })
      }),
    ),
  ),
})
