import { Schema } from "effect"
import { failure } from "../failure.ts"
import { ModerationState } from "../moderation/content.ts"
import { Count, Text, Timestamp, text, Uuid } from "../schema.ts"
import { Person } from "../users/user.ts"

/** A rule of moderation refuses the text [I6.1]. */
export class MessageRejected extends failure(
  "MessageRejected",
  "invalid",
  "MESSAGE_REJECTED",
  "The message is not allowed here.",
) {}

/** `before` or `after` is no message of this conversation that the caller can see [I4.2]. */
export class UnknownMessage extends failure(
  "UnknownMessage",
  "invalid",
  "INVALID_CURSOR",
  "There is no such message in this conversation.",
) {}

/** A message as stored. Unique: its number in the conversation; the sender's `client_message_id` there, where there is one. */
export const MessageRow = Schema.Struct({
  id: Uuid,
  conversation_id: Uuid,
  /** Its place in the conversation, from 1. */
  number: Count,
  /** Null once the sender is gone [I0.4]. */
  sender_id: Schema.NullOr(Uuid),
  /** Null once the sender has deleted it. What is rejected is kept for developers. */
  body: Schema.NullOr(Text),
  client_message_id: Schema.NullOr(Text),
  moderation: ModerationState,
  created_at: Timestamp,
})
export type MessageRow = typeof MessageRow.Type

const { id, conversation_id, sender_id, body, created_at } = MessageRow.fields

/** A message as users see it (spec: message). `body` is null where the sender has deleted it, or where it was rejected. */
export const Message = Schema.Struct({
  ...{ id, conversation_id, sender_id, body, created_at },
  sender: Schema.NullOr(Person),
}).annotate({ identifier: "Message" })
export type Message = typeof Message.Type

/** A message as developers see it: with what is held or rejected. */
export const AdminMessage = Schema.Struct({ ...Message.fields, moderation: ModerationState }).annotate({
  identifier: "AdminMessage",
})
export type AdminMessage = typeof AdminMessage.Type

/** What a client names a message with, so that a repeat is known [I4.2]. */
const ClientMessageId = text(1, 64)

/** What a client writes. */
export const NewMessage = Schema.Struct({
  body: text(1, 4_000),
  client_message_id: Schema.optionalKey(Schema.NullOr(ClientMessageId)),
}).annotate({ identifier: "NewMessage" })
export type NewMessage = typeof NewMessage.Type
