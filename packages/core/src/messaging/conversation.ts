import { Schema } from "effect"
import { failure } from "../failure.ts"
import { Count, Name, Text, Timestamp, Uuid, withDefaults } from "../schema.ts"
import { Person } from "../users/user.ts"
import { AdminMessage, Message } from "./message.ts"

/** The most users who take part in a conversation [I4.1]. */
export const maxParticipants = 100

/** The caller takes no part in the conversation, or there is none: the same answer for both [I4.2]. */
export class NotParticipant extends failure(
  "NotParticipant",
  "forbidden",
  "NOT_PARTICIPANT",
  "You take no part in this conversation.",
) {}

/** Between two users, or in a group. */
export const ConversationType = Schema.Literals(["direct", "group"])
export type ConversationType = typeof ConversationType.Type

/** A conversation as stored. Unique: `pair`. */
export const ConversationRow = Schema.Struct({
  id: Uuid,
  type: ConversationType,
  name: Schema.NullOr(Name),
  /** Who may add participants to a group; null once that user is gone. */
  creator_id: Schema.NullOr(Uuid),
  /** The ids of the two of a direct conversation, the lesser first; null for groups, and once one of the two is gone. */
  pair: Schema.NullOr(Text),
  created_at: Timestamp,
  /** The number of the message that was written last. Numbers are not used again. */
  last_number: Count,
  /** All its messages, and those of them that are held. */
  message_count: Count,
  held_count: Count,
  /** When its newest message was written, and its newest one that is not held; else when it was opened. */
  newest_at: Timestamp,
  latest_at: Timestamp,
})
export type ConversationRow = typeof ConversationRow.Type

/** Who takes part in a conversation. Unique: `conversation_id` and `app_user_id`. */
export const Participant = Schema.Struct({
  conversation_id: Uuid,
  app_user_id: Uuid,
  joined_at: Timestamp,
  /** The number up to which the user has read. */
  read_number: Count,
  /** When the newest own message that is held was written: only its writer sees it. */
  held_at: Schema.NullOr(Timestamp),
  /** The hour (UTC) of the later of `held_at` and the conversation's `latest_at`: what lists are cut by. */
  latest_hour: Timestamp,
})
export type Participant = typeof Participant.Type

const { id, type, name, created_at } = ConversationRow.fields

/** A conversation as one who takes part sees it (spec: conversation; I4.1). */
export const Conversation = Schema.Struct({
  ...{ id, type, name, created_at },
  participant_count: Count,
  /** At most 10 of them, those who joined first. */
  participants: Schema.Array(Person),
  /** The newest message that the caller can see. */
  last_message: Schema.NullOr(Message),
  /** What others wrote after what the caller has read, as far as the caller can see it; counted up to 100. */
  unread_count: Count,
}).annotate({ identifier: "Conversation" })
export type Conversation = typeof Conversation.Type

/** A conversation as developers see it. */
export const AdminConversation = Schema.Struct({
  ...{ id, type, name, created_at },
  participant_count: Count,
  last_message: Schema.NullOr(AdminMessage),
}).annotate({ identifier: "AdminConversation" })
export type AdminConversation = typeof AdminConversation.Type

// The use cases count each once, without the caller. Longer ones are not looked at.
const People = Schema.Array(Uuid).check(Schema.isMaxLength(maxParticipants))

/** What a conversation is opened with. The caller takes part without being named. */
export const NewConversation = Schema.Struct(
  withDefaults({ type, participant_ids: People, name: Schema.NullOr(Name) }, { name: null }),
).annotate({ identifier: "NewConversation" })
export type NewConversation = typeof NewConversation.Type

/** Who is to join a group. */
export const NewParticipants = Schema.Struct({ app_user_ids: People }).annotate({
  identifier: "NewParticipants",
})
export type NewParticipants = typeof NewParticipants.Type

/** What the caller has read: up to this message, by default the newest. */
export const ReadMark = Schema.Struct({ message_id: Schema.optionalKey(Uuid) }).annotate({ identifier: "ReadMark" })
export type ReadMark = typeof ReadMark.Type

/** How many conversations and messages a project has. */
export const MessagingStats = Schema.Struct({
  total_conversations: Count,
  total_messages: Count,
  /** Those with a message in the last 24 hours. */
  active_conversations_24h: Count,
}).annotate({ identifier: "MessagingStats" })
export type MessagingStats = typeof MessagingStats.Type

/** That the caller has left. */
export const Left = Schema.Struct({ left: Schema.Literal(true) }).annotate({ identifier: "LeftConversation" })
