import type { TenantDb } from "@hearth/core"
import type { ConversationRow, MessageRow, WrittenMessage } from "@hearth/core/messaging"
import { Effect } from "effect"
import { anId, builtAt, type Given, makeId, nextNumber } from "../builders.ts"
import { writeUser } from "../users/tables.ts"

/** A group without messages. */
export const aConversation = (given: Partial<ConversationRow> = {}): ConversationRow => ({
  id: anId(),
  type: "group",
  name: null,
  creator_id: null,
  pair: null,
  created_at: new Date(builtAt),
  last_number: 0,
  message_count: 0,
  held_count: 0,
  newest_at: new Date(builtAt),
  latest_at: new Date(builtAt),
  ...given,
})

/** A message of nobody. */
export const aMessage = (given: Given<MessageRow, "conversation_id">): MessageRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    number: n,
    sender_id: null,
    body: `message ${n}`,
    client_message_id: null,
    moderation: "shown",
    created_at: new Date(builtAt),
    ...given,
  }
}

/** Writes a conversation with so many users who take part, and answers the ids of all. */
export const writeConversation = Effect.fnUntraced(function* (
  db: TenantDb,
  people = 2,
  given: Partial<ConversationRow> = {},
) {
  const users: Array<string> = []
  for (let user = 0; user < people; user += 1) users.push(yield* writeUser(db))
  const row = aConversation(given)
  yield* Effect.orDie(db.conversations.insert(row))
  yield* db.participants.add(row.id, users, row.created_at)
  return { id: row.id, users: users as [string, string, ...ReadonlyArray<string>] }
})

/** Writes a message as its sender does. */
export const writeMessage = (
  db: TenantDb,
  conversation_id: string,
  sender_id: string,
  given: Partial<WrittenMessage> = {},
) => {
  const n = nextNumber()
  const written: WrittenMessage = {
    ...{ id: makeId(n), conversation_id, sender_id, body: `message ${n}`, client_message_id: null },
    ...{ moderation: "shown", created_at: new Date(builtAt), ...given },
  }
  return Effect.as(db.messages.write(written), written)
}
