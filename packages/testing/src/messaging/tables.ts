import type { TenantDb } from "@hearth/core"
import { type ConversationRow, conversationsSection, type MessageRow, messagesSection } from "@hearth/core/messaging"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import {
  awkwardInstant,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aConversation, aMessage, writeConversation, writeMessage } from "./builders.ts"

/** The table of conversations. */
export const conversations: TableCase<TenantDb, ConversationRow> = {
  name: "conversations",
  table: (db) => db.conversations,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aConversation({ creator_id: yield* writeUser(db), pair: anId(), ...given })
  }),
  samples: [
    {
      ...{ type: "direct", name: awkwardText, creator_id: null, created_at: earlyInstant },
      ...{ last_number: 2_147_483_647, message_count: 2_147_483_647, held_count: 7 },
      ...{ newest_at: lateInstant, latest_at: awkwardInstant },
    },
    { pair: awkwardText, name: null },
  ],
  unique: [["pair"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "name", ascending: textsInOrder },
}

/** The table of messages. */
export const messages: TableCase<TenantDb, MessageRow> = {
  name: "messages",
  table: (db) => db.messages,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const conversation_id = given.conversation_id ?? (yield* writeConversation(db, 0)).id
    const sender_id = yield* writeUser(db)
    return aMessage({ sender_id, client_message_id: "first", ...given, conversation_id })
  }),
  samples: [
    { body: awkwardText, moderation: "held", created_at: awkwardInstant, number: 2_147_483_647 },
    { client_message_id: awkwardText, moderation: "rejected" },
    { sender_id: null, body: null, client_message_id: null },
  ],
  unique: [
    ["conversation_id", "number"],
    ["conversation_id", "sender_id", "client_message_id"],
  ],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "body", ascending: textsInOrder },
}

/** What a project promises about the conversations in the file about a user. */
export const conversationsSectionContract = sectionContract(
  conversationsSection,
  Effect.fnUntraced(function* (db) {
    const first = yield* writeConversation(db, 2, { name: awkwardText })
    const [userId] = first.users
    const { id } = yield* writeConversation(db, 1)
    yield* db.participants.add(id, [userId], awkwardInstant)
    yield* writeMessage(db, id, userId)
    const rows = [
      ...(yield* db.conversations.list({ id: first.id }, [])),
      ...(yield* db.conversations.list({ id }, [])),
    ]
    return { userId, rows }
  }),
)

/** What a project promises about the messages in the file about a user. */
export const messagesSectionContract = sectionContract(
  messagesSection,
  Effect.fnUntraced(function* (db) {
    const { id, users } = yield* writeConversation(db)
    const [userId, other] = users
    yield* writeMessage(db, id, userId, { body: awkwardText, client_message_id: "a" })
    yield* writeMessage(db, id, other)
    yield* writeMessage(db, id, userId, { moderation: "held" })
    return { userId, rows: yield* db.messages.list({ sender_id: userId }, []) }
  }),
)
