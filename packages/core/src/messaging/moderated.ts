import { Effect, Option } from "effect"
import type { ModeratedContent } from "../moderation/content.ts"
import { lockMessage } from "./lock-message.ts"
import type { MessageRow } from "./message.ts"
import type { MessagingDb } from "./port.ts"
import { isVisible } from "./rules.ts"

const describe = ({ id, sender_id, body, moderation }: MessageRow) => ({
  content_type: "message" as const,
  content_id: id,
  app_user_id: sender_id,
  texts: [body],
  ...(moderation === "rejected" && { shown_texts: [] }),
  urls: [],
  state: moderation,
})

/** Gives a message another state. What was held and is not any more comes into sight. */
const moderateTo = (moderation: MessageRow["moderation"]) =>
  Effect.fnUntraced(function* (db: MessagingDb, id: string) {
    const message = Option.getOrNull(yield* db.messages.find({ id }))
    if (message === null || message.moderation === moderation) return
    yield* Effect.orDie(db.messages.update(id, { moderation }))
    if (message.moderation === "held")
      yield* db.conversations.refresh(message.conversation_id, { messages: 0, held: -1 })
  })

/** What moderation does with messages: a held one is seen by its sender alone, of a rejected one no body is shown [I6.3]. */
export const moderatedMessages: ModeratedContent<MessagingDb> = {
  content_type: "message",
  find: (db, id, { lock }) =>
    Effect.map(lock ? lockMessage(db, id) : db.messages.find({ id }), (found) =>
      Option.getOrNull(Option.map(found, describe)),
    ),
  isVisibleTo: Effect.fnUntraced(function* (db, id, userId) {
    const message = Option.getOrNull(yield* db.messages.find({ id }))
    if (message === null || !isVisible(message, userId)) return false
    return Option.isSome(yield* db.participants.find(message.conversation_id, userId))
  }),
  show: moderateTo("shown"),
  hide: moderateTo("rejected"),
  newest: (db, limit) => db.messages.newest(limit),
}
