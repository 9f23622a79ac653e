import { Effect, Option } from "effect"
import type { MessagingDb } from "./port.ts"
import { isVisible } from "./rules.ts"

/** The number of a message of this conversation that the user sees. */
export const findNumber = (
  db: Pick<MessagingDb, "messages">,
  conversation_id: string,
  userId: string,
  id: string,
): Effect.Effect<Option.Option<number>> =>
  Effect.map(db.messages.find({ id, conversation_id }), (found) =>
    Option.map(
      Option.filter(found, (message) => isVisible(message, userId)),
      ({ number }) => number,
    ),
  )
