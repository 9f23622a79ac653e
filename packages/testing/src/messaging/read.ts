import { type ConversationRow, cutToHour, isVisible, type MessageRow, seenAt } from "@hearth/core/messaging"
import type { Person } from "@hearth/core/users"
import type { Draft } from "../memory/database.ts"
import { replaceRow, rowsOf } from "../memory/rows.ts"
import { select } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"
import { conversationShape, messageShape, participantShape } from "./shapes.ts"

/** A user as others see one; null where the user is gone. */
export const describePerson = (draft: Draft, id: string | null): Person | null => {
  const user = id === null ? undefined : rowsOf(draft, userShape).get(id)
  if (user === undefined) return null
  return { id: user.id, display_name: user.display_name, avatar_url: user.avatar_url }
}

/** A message as users see it. */
export const describeMessage = (
  draft: Draft,
  { id, conversation_id, sender_id, body, moderation, created_at }: MessageRow,
) => ({
  ...{ id, conversation_id, sender_id, created_at },
  body: moderation === "rejected" ? null : body,
  sender: describePerson(draft, sender_id),
})

/** A message as developers see it. */
export const describeForAdmin = (draft: Draft, message: MessageRow) => ({
  ...describeMessage(draft, message),
  body: message.body,
  moderation: message.moderation,
})

/** The messages of a conversation, the newest first. */
export const listMessages = (draft: Draft, conversation_id: string): ReadonlyArray<MessageRow> =>
  select(draft, messageShape, { conversation_id }).toSorted((a, b) => b.number - a.number)

/** Those that a user who takes part sees, the newest first. */
export const visibleTo = (draft: Draft, conversation_id: string, userId: string): ReadonlyArray<MessageRow> =>
  listMessages(draft, conversation_id).filter((message) => isVisible(message, userId))

/** The participants of a conversation, by user. */
export const listParticipants = (draft: Draft, conversation_id: string) =>
  select(draft, participantShape, { conversation_id }).toSorted((a, b) => (a.app_user_id < b.app_user_id ? -1 : 1))

/** Brings the instants of a conversation and of those who take part up to date with its messages. */
export const refreshInstants = (draft: Draft, conversation: ConversationRow): void => {
  const messages = listMessages(draft, conversation.id)
  const newest_at = messages[0]?.created_at ?? conversation.created_at
  const latest_at = messages.find(({ moderation }) => moderation !== "held")?.created_at ?? conversation.created_at
  replaceRow(draft, conversationShape, conversation, { ...conversation, newest_at, latest_at })
  for (const participant of listParticipants(draft, conversation.id)) {
    const held = messages.find((each) => each.moderation === "held" && each.sender_id === participant.app_user_id)
    const held_at = held?.created_at ?? null
    const latest_hour = cutToHour(seenAt(latest_at, held_at))
    replaceRow(draft, participantShape, participant, { ...participant, held_at, latest_hour })
  }
}
