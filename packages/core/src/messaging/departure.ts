import { Effect } from "effect"
import type { Departure } from "../users/departure.ts"
import type { MessagingDb } from "./port.ts"

const pieceSize = 500

/** Takes a user out of some conversations. Answers whether there may be more. */
const leaveConversations = Effect.fnUntraced(function* (db: MessagingDb, userId: string) {
  const ids = yield* db.participants.listOfUser(userId, pieceSize)
  if (ids.length === 0) return false
  yield* db.conversations.lockMany(ids)
  const alone = yield* db.participants.sole(ids)
  // With the first piece: nobody is added any more to what is left of them.
  yield* db.conversations.forgetUser(userId, alone)
  if (alone.length > 0 && (yield* db.messages.removeSome(alone, pieceSize)) === pieceSize) return true
  yield* db.conversations.removeMany(alone)
  const others = ids.filter((id) => !alone.includes(id))
  yield* db.participants.remove(userId, others)
  yield* db.conversations.forgetUser(userId, others)
  return ids.length === pieceSize
})

/**
 * Takes a user out of conversations: messages stay without a sender, a conversation goes with the last one who took part, and a
 * direct one stays with the other [I0.4].
 */
export const departFromMessaging: Departure<MessagingDb> = Effect.fnUntraced(function* (db, userId) {
  if (yield* leaveConversations(db, userId)) return true
  // After the conversations: whoever holds a message while waiting for its conversation would be waited for.
  return (yield* db.messages.forgetSender(userId, pieceSize)) === pieceSize
})
