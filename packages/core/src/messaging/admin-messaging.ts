import { Effect, Option } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { lockMessage } from "./lock-message.ts"
import type { MessagingDb } from "./port.ts"

const dayMillis = 86_400_000

/** What developers see and remove of conversations (spec: admin plane, messaging). */
export const makeAdminMessaging = ({ clock, tenants }: Pick<Ports<MessagingDb>, "clock" | "tenants">) => ({
  /** How many conversations and messages there are. */
  stats: (projectId: string) =>
    tenants.read(projectId, (db) => db.conversations.stats(new Date(clock.now().getTime() - dayMillis))),

  /** All conversations, the latest first. */
  conversations: (projectId: string, slice: Slice) =>
    tenants.read(projectId, (db) => db.conversations.pageOfAll(slice)),

  /** The messages of a conversation with all that is held or rejected, the newest first. */
  messages: Effect.fn("adminMessaging.messages")((projectId: string, id: string, slice: Slice) =>
    tenants.read(
      projectId,
      Effect.fnUntraced(function* (db: MessagingDb) {
        yield* orFail(db.conversations.find({ id }), NotFound)
        return yield* db.messages.pageForAdmin(id, slice)
      }),
    ),
  ),

  /** Removes a message altogether. Nothing happens where there is none. */
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
