import { Effect, Option } from "effect"
import type { MessageRow } from "./message.ts"
import type { MessagingDb } from "./port.ts"

/** Locks the conversation of a message, then the message, and answers it as it is then. */
export const lockMessage = Effect.fnUntraced(function* (db: MessagingDb, id: string) {
  const found = yield* db.messages.find({ id })
  if (Option.isNone(found)) return Option.none<MessageRow>()
  yield* db.conversations.lock(found.value.conversation_id)
  return yield* db.messages.lock(id)
})
