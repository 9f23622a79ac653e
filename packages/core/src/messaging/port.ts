import type { Effect, Option } from "effect"
import type { ListPlace } from "../list-cursor.ts"
import type { DatedContent } from "../moderation/content.ts"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { Person } from "../users/user.ts"
import type {
  AdminConversation,
  Conversation,
  ConversationRow,
  ConversationType,
  MessagingStats,
  Participant,
} from "./conversation.ts"
import type { AdminMessage, Message, MessageRow } from "./message.ts"

/** How many messages came or went: all of them, and those that are held. */
export interface CountChange {
  readonly messages: number
  readonly held: number
}

/** A conversation of a list, with what the list is in order of. */
export interface ListedConversation extends AdminConversation, Pick<ConversationRow, "newest_at"> {}

/** Conversations. Unique: `pair`. Their messages and participants go with them. `creator_id` becomes null with its user. */
export interface Conversations extends Table<ConversationRow> {
  /** Locks those that exist, `no key update`, in the order of their ids. */
  lockMany(ids: ReadonlyArray<string>): Effect.Effect<void>
  /** What a user takes part in, by the newest message that the user sees, the latest first. */
  pageOfUser(userId: string, slice: Slice): Effect.Effect<Page<Conversation>>
  /**
   * A conversation as this user sees it, with up to 10 of those who take part, who joined first, and up to 100 unread; none where the
   * user takes no part.
   */
  view(id: string, userId: string): Effect.Effect<Option.Option<Conversation>>
  /** All of them, by their newest message, the latest first, then by greater id. */
  pageOfAll(slice: Slice): Effect.Effect<Page<ListedConversation>>
  /** A slice of those that come after a place in that order. */
  listOfAll(place: ListPlace, slice: Slice): Effect.Effect<ReadonlyArray<ListedConversation>>
  /** `since` is when what is active has a message at or after. */
  stats(since: Date): Effect.Effect<MessagingStats>
  /**
   * Brings what is stored of a conversation's messages up to date after one of them was removed, shown or hidden: counts,
   * `newest_at`, `latest_at`, and by what its participants order it. The caller has locked it.
   */
  refresh(id: string, change: CountChange): Effect.Effect<void>
  /** Removes those of these ids, with all that is in them. */
  removeMany(ids: ReadonlyArray<string>): Effect.Effect<void>
  /** Forgets whose conversations these were, for a user who takes no part any more: neither a pair nor a creator. */
  forgetUser(userId: string, ids: ReadonlyArray<string>): Effect.Effect<void>
}

/** Who takes part in what. Whoever adds or removes participants has locked the conversation. */
export interface Participants {
  /**
   * Adds users to a conversation; those who take part already stay as they are. What was written before they have read. The
   * caller has locked them, because they must exist.
   */
  add(conversationId: string, userIds: ReadonlyArray<string>, at: Date): Effect.Effect<void>
  find(conversationId: string, userId: string): Effect.Effect<Option.Option<Participant>>
  /** The users who take part, by id. */
  list(conversationId: string): Effect.Effect<ReadonlyArray<string>>
  /** Up to `limit` conversations of a user, by id. */
  listOfUser(userId: string, limit: number): Effect.Effect<ReadonlyArray<string>>
  /** Those of the conversations in which one user alone takes part. */
  sole(conversationIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
  /** Those of the users who take part in `most` conversations or more. */
  full(userIds: ReadonlyArray<string>, most: number): Effect.Effect<ReadonlyArray<string>>
  /**
   * Moves what a user has read forward to this number, never back; null is the newest message that the user sees. Answers whether
   * the user takes part.
   */
  read(conversationId: string, userId: string, number: number | null): Effect.Effect<boolean>
  /** Takes a user out of these conversations. Answers of how many. */
  remove(userId: string, conversationIds: ReadonlyArray<string>): Effect.Effect<number>
}

/** What is known of a conversation and of one who wants to write there. */
export interface Writing {
  /** The user as others see one; null where there is none. */
  readonly sender: Person | null
  /** Null where there is no such conversation, or where the user takes no part. */
  readonly conversation: { readonly type: ConversationType; readonly pair: string | null } | null
}

/** What is written. Its number is the next one of its conversation. */
export type WrittenMessage = Omit<MessageRow, "number" | "sender_id" | "body"> & {
  readonly sender_id: string
  readonly body: string
}

/** Which messages a page has: those between these numbers, both left out. Null is no bound. */
export interface MessageRange {
  readonly before: number | null
  readonly after: number | null
}

/** A page of messages. */
export interface AdminMessages extends Page<AdminMessage> {
  /** The number of the last row; null where there is none. */
  readonly last_number: number | null
}

/**
 * Messages. Unique: `conversation_id` and `number`; `conversation_id`, `sender_id` and `client_message_id` where that is not null.
 * `sender_id` becomes null with its user.
 */
export interface Messages extends Table<MessageRow> {
  /**
   * Begins to write: locks the user (`key share`) and then the conversation, so that numbers follow one another, and the user
   * can neither be removed nor leave meanwhile.
   */
  lockToWrite(conversationId: string, userId: string): Effect.Effect<Writing>
  /**
   * Writes a message with the next number, and what its conversation stores of it; its sender has then read everything before it.
   * Answers false, and writes nothing, where the sender has written that `client_message_id` there. The caller has locked. In a
   * transaction a message without one need not be written yet when this answers.
   */
  write(message: WrittenMessage): Effect.Effect<boolean>
  /** The message of a sender in a conversation that has this `client_message_id`. */
  findRepeated(conversationId: string, senderId: string, clientMessageId: string): Effect.Effect<Option.Option<Message>>
  /** What a user sees of a conversation, the newest first. The total is of the whole conversation, whatever the range. */
  pageForUser(conversationId: string, userId: string, range: MessageRange, slice: Slice): Effect.Effect<Page<Message>>
  /** All messages of a conversation, or those before a number, the newest first. The total is of the whole conversation. */
  pageForAdmin(conversationId: string, before: number | null, slice: Slice): Effect.Effect<AdminMessages>
  /** Removes the body of a message of this sender. Answers whether there is one. */
  erase(id: string, senderId: string): Effect.Effect<boolean>
  /** Forgets who wrote up to `limit` messages of a user, and answers of how many. */
  forgetSender(userId: string, limit: number): Effect.Effect<number>
  /** Removes up to `limit` of the oldest messages of these conversations, and answers how many. Counts follow. The caller has locked. */
  removeSome(conversationIds: ReadonlyArray<string>, limit: number): Effect.Effect<number>
  /** Which are the newest messages that have a body, in all conversations. */
  newest(limit: number): Effect.Effect<ReadonlyArray<DatedContent>>
}

/** What a project's database has for messaging. */
export interface MessagingDb {
  readonly conversations: Conversations
  readonly participants: Participants
  readonly messages: Messages
}
