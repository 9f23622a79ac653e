import {
  type Conversation,
  type ConversationRow,
  type Conversations,
  type ListedConversation,
  maxUnread,
  type Participant,
  seenAt,
  shownParticipants,
} from "@hearth/core/messaging"
import { Effect, Option } from "effect"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { lockRows, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { memoryTable, pageOf, select, sliceAfter, sorted } from "../memory/table.ts"
import {
  describeForAdmin,
  describeMessage,
  describePerson,
  listMessages,
  listParticipants,
  refreshInstants,
  visibleTo,
} from "./read.ts"
import { conversationShape, participantShape } from "./shapes.ts"

const describeShown = (draft: Draft, { id, type, name, created_at }: ConversationRow) => ({
  ...{ id, type, name, created_at },
  participant_count: listParticipants(draft, id).length,
})

const viewOf = (draft: Draft, conversation: ConversationRow, participant: Participant): Conversation => {
  const visible = visibleTo(draft, conversation.id, participant.app_user_id)
  const unread = visible.filter(
    ({ number, sender_id }) => number > participant.read_number && sender_id !== participant.app_user_id,
  )
  const people = listParticipants(draft, conversation.id).toSorted(
    (a, b) => a.joined_at.getTime() - b.joined_at.getTime(),
  )
  const [last] = visible
  return {
    ...describeShown(draft, conversation),
    participants: people
      .slice(0, shownParticipants)
      .map(({ app_user_id }) => describePerson(draft, app_user_id))
      .filter((person) => person !== null),
    last_message: last === undefined ? null : describeMessage(draft, last),
    unread_count: Math.min(unread.length, maxUnread),
  }
}

const adminViewOf = (draft: Draft, conversation: ConversationRow): ListedConversation => {
  const [last] = listMessages(draft, conversation.id)
  return {
    ...describeShown(draft, conversation),
    newest_at: conversation.newest_at,
    last_message: last === undefined ? null : describeForAdmin(draft, last),
  }
}

const latestFirst = [
  ["newest_at", "desc"],
  ["id", "desc"],
] as const

/** The latest first, then by greater id. */
const byInstant = <Row extends { readonly id: string; readonly at: Date }>(rows: ReadonlyArray<Row>) =>
  rows.toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))

const takenPartIn = (draft: Draft, app_user_id: string) =>
  byInstant(
    select(draft, participantShape, { app_user_id }).map((participant) => {
      const conversation = rowsOf(draft, conversationShape).get(participant.conversation_id)
      if (conversation === undefined) throw new Error("A participant has a conversation that is not there.")
      const at = seenAt(conversation.latest_at, participant.held_at)
      return { id: conversation.id, at, conversation, participant }
    }),
  )

const find = (draft: Draft, ids: ReadonlyArray<string>): ReadonlyArray<ConversationRow> =>
  keepIds(ids)
    .map((id) => rowsOf(draft, conversationShape).get(id))
    .filter((row) => row !== undefined)

/** The conversations of a project. */
export const memoryConversations = (statements: Statements): Conversations => ({
  ...memoryTable(statements, conversationShape),
  lockMany: (ids) =>
    statements.query((draft) => void lockRows(draft, conversationShape, find(draft, ids), "no key update")),
  pageOfUser: (userId, slice) =>
    statements.query((draft) => {
      const { rows, total } = pageOf(takenPartIn(draft, userId), slice)
      return { rows: rows.map(({ conversation, participant }) => viewOf(draft, conversation, participant)), total }
    }),
  view: (id, userId) =>
    Effect.map(
      statements.query((draft) => {
        const found = takenPartIn(draft, userId).find((each) => each.id === keepIds([id])[0])
        return found === undefined ? undefined : viewOf(draft, found.conversation, found.participant)
      }),
      Option.fromUndefinedOr,
    ),
  pageOfAll: (slice) =>
    statements.query((draft) => {
      const { rows, total } = pageOf(
        sorted(conversationShape, select(draft, conversationShape, {}), latestFirst),
        slice,
      )
      return { rows: rows.map((row) => adminViewOf(draft, row)), total }
    }),
  listOfAll: ({ at, id }, slice) =>
    statements.query((draft) => {
      const all = select(draft, conversationShape, {})
      const rows = sliceAfter(conversationShape, all, latestFirst, { newest_at: at, id }, slice)
      return rows.map((row) => adminViewOf(draft, row))
    }),
  stats: (since) =>
    statements.query((draft) => {
      const all = select(draft, conversationShape, {})
      const active = all.filter(({ newest_at, message_count }) => newest_at >= since && message_count > 0)
      return {
        total_conversations: all.length,
        total_messages: all.reduce((sum, { message_count }) => sum + message_count, 0),
        active_conversations_24h: active.length,
      }
    }),
  refresh: (id, { messages, held }) =>
    statements.change((draft) => {
      for (const row of find(draft, [id])) {
        const [message_count, held_count] = [row.message_count + messages, row.held_count + held]
        refreshInstants(draft, { ...row, message_count, held_count })
      }
    }),
  removeMany: (ids) =>
    statements.change((draft) => {
      for (const row of find(draft, ids)) removeRow(draft, conversationShape, row)
    }),
  forgetUser: (userId, ids) =>
    statements.change((draft) => {
      for (const row of find(draft, ids)) {
        const creator_id = row.creator_id === keepIds([userId])[0] ? null : row.creator_id
        replaceRow(draft, conversationShape, row, { ...row, pair: null, creator_id })
      }
    }),
})
