import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { ConversationRow } from "./conversation.ts"
import { MessageRow } from "./message.ts"

/** The conversations in which the user takes part. */
export const conversationsSection: TableSection = {
  name: "conversations",
  key: ["id"],
  columns: describeColumns(ConversationRow, ["id", "type", "name", "created_at"]),
  links: { table: "conversation_participants", row: "conversation_id" },
}

/** What the user has written. */
export const messagesSection: TableSection = {
  name: "messages",
  key: ["id"],
  owner: "sender_id",
  columns: describeColumns(MessageRow, [
    "id",
    "conversation_id",
    "sender_id",
    "body",
    "client_message_id",
    "created_at",
  ]),
}
