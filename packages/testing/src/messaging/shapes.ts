import { Text } from "@hearth/core"
import { ConversationRow, MessageRow, Participant } from "@hearth/core/messaging"
import { Schema } from "effect"
import { describeTable } from "../memory/shape.ts"

/** The table of conversations. */
export const conversationShape = describeTable("conversations", ConversationRow, {
  unique: [["pair"]],
  parents: { creator_id: "users" },
  cleared: ["creator_id"],
})

/** The table of participants. The id is that of the conversation and that of the user. */
export const participantShape = describeTable(
  "conversation participants",
  Schema.Struct({ id: Text, ...Participant.fields }),
  { parents: { conversation_id: "conversations", app_user_id: "users" } },
)

/** The table of messages. */
export const messageShape = describeTable("messages", MessageRow, {
  unique: [
    ["conversation_id", "number"],
    ["conversation_id", "sender_id", "client_message_id"],
  ],
  parents: { conversation_id: "conversations", sender_id: "users" },
  cleared: ["sender_id"],
})
