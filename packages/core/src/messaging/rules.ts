import type { ModerationState } from "../moderation/content.ts"
import { type ConversationType, maxParticipants, type NewConversation } from "./conversation.ts"

/** Up to this many unread messages are counted [I4.2]. */
export const maxUnread = 100

/** So many participants are shown with a conversation [I4.1]. */
export const shownParticipants = 10

/** The key of the direct conversation of two users, the same for both. */
export const joinPair = (userId: string, otherId: string): string => [userId, otherId].sort().join("/")

/** The other one of a pair; null where that user is gone. */
export const otherOfPair = (pair: string | null, userId: string): string | null =>
  pair?.split("/").find((id) => id !== userId) ?? null

const mostOthers: Readonly<Record<ConversationType, number>> = { direct: 1, group: maxParticipants - 1 }

/** The others whom the caller names, each once; or what is wrong with them [I4.1]. */
export const readOthers = (
  { type, participant_ids }: Pick<NewConversation, "type" | "participant_ids">,
  userId: string,
): { readonly others: ReadonlyArray<string> } | { readonly problem: string } => {
  const others = [...new Set(participant_ids)].filter((id) => id !== userId)
  const most = mostOthers[type]
  if (others.length >= 1 && others.length <= most) return { others }
  return { problem: most === 1 ? "must be exactly one other user" : `must be 1 to ${most} other users` }
}

/** Whether a user who takes part sees a message. What is held only its sender sees; of what is rejected or deleted no body is left. */
export const isVisible = (
  { moderation, sender_id }: { readonly moderation: ModerationState; readonly sender_id: string | null },
  userId: string,
): boolean => moderation !== "held" || sender_id === userId

const hourMillis = 3_600_000

/** The hour (UTC) that an instant is in. */
export const cutToHour = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMillis) * hourMillis)

/** What participants order a conversation by: the newest message that they see. */
export const seenAt = (latestAt: Date, heldAt: Date | null): Date =>
  heldAt !== null && heldAt > latestAt ? heldAt : latestAt
