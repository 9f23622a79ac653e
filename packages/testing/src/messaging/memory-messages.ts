import { cutToHour, type MessageRow, type Messages, seenAt, type WrittenMessage } from "@hearth/core/messaging"
import { Effect, Option } from "effect"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRows, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { memoryTable, pageOf, select } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"
import { describeForAdmin, describeMessage, describePerson, listMessages, listParticipants, visibleTo } from "./read.ts"
import { conversationShape, messageShape, participantShape } from "./shapes.ts"

const later = (one: Date, other: Date): Date => (one > other ? one : other)

const findRepeated = (draft: Draft, conversation_id: string, sender_id: string, client_message_id: string | null) =>
  client_message_id === null
    ? undefined
    : select(draft, messageShape, { conversation_id, sender_id, client_message_id })[0]

/** Marks what the sender has read, and the hour of whoever sees the message. */
const markParticipants = (draft: Draft, { moderation, sender_id, ...message }: MessageRow, latestAt: Date) => {
  const isHeld = moderation === "held"
  for (const row of listParticipants(draft, message.conversation_id)) {
    const isSender = row.app_user_id === sender_id
    if (!isSender && cutToHour(latestAt) <= row.latest_hour) continue
    const held_at = isSender && isHeld ? later(row.held_at ?? message.created_at, message.created_at) : row.held_at
    replaceRow(draft, participantShape, row, {
      ...row,
      held_at,
      read_number: isSender ? message.number : row.read_number,
      latest_hour: cutToHour(seenAt(latestAt, held_at)),
    })
  }
}

const write = (draft: Draft, given: WrittenMessage) => {
  const [conversation] = select(draft, conversationShape, { id: given.conversation_id })
  if (conversation === undefined) return false
  if (findRepeated(draft, given.conversation_id, given.sender_id, given.client_message_id) !== undefined) return false
  const message = insertRow(draft, messageShape, { ...given, number: conversation.last_number + 1 })
  const isHeld = message.moderation === "held"
  const latest_at = isHeld ? conversation.latest_at : later(conversation.latest_at, message.created_at)
  replaceRow(draft, conversationShape, conversation, {
    ...conversation,
    last_number: message.number,
    message_count: conversation.message_count + 1,
    held_count: conversation.held_count + (isHeld ? 1 : 0),
    newest_at: later(conversation.newest_at, message.created_at),
    latest_at,
  })
  markParticipants(draft, message, latest_at)
  return true
}

const removeMessage = (draft: Draft, message: MessageRow) => {
  removeRow(draft, messageShape, message)
  const [conversation] = select(draft, conversationShape, { id: message.conversation_id })
  if (conversation === undefined) return
  const held_count = conversation.held_count - (message.moderation === "held" ? 1 : 0)
  const message_count = conversation.message_count - 1
  replaceRow(draft, conversationShape, conversation, { ...conversation, message_count, held_count })
}

/** The messages of a project. */
export const memoryMessages = (statements: Statements): Messages => ({
  ...memoryTable(statements, messageShape),
  lockToWrite: (conversationId, userId) =>
    statements.query((draft) => {
      const [user] = lockRows(draft, userShape, select(draft, userShape, { id: userId }), "key share")
      const [conversation] = lockRows(
        draft,
        conversationShape,
        select(draft, conversationShape, { id: conversationId }),
        "no key update",
      )
      const present = select(draft, participantShape, { conversation_id: conversationId, app_user_id: userId })
      const [participant] = lockRows(draft, participantShape, present, "key share")
      const isThere = conversation !== undefined && participant !== undefined
      return {
        sender: user === undefined ? null : describePerson(draft, user.id),
        conversation: isThere ? { type: conversation.type, pair: conversation.pair } : null,
      }
    }),
  write: (message) => statements.change((draft) => write(draft, message)),
  findRepeated: (...named) =>
    Effect.map(
      statements.query((draft) => {
        const found = findRepeated(draft, ...named)
        return found === undefined ? undefined : describeMessage(draft, found)
      }),
      Option.fromUndefinedOr,
    ),
  pageForUser: (conversationId, userId, { before, after }, slice) =>
    statements.query((draft) => {
      const visible = visibleTo(draft, conversationId, keepIds([userId])[0] ?? "")
      const inRange = visible.filter(
        ({ number }) => (before === null || number < before) && (after === null || number > after),
      )
      const { rows } = pageOf(inRange, slice)
      return { rows: rows.map((message) => describeMessage(draft, message)), total: visible.length }
    }),
  pageForAdmin: (conversationId, before, slice) =>
    statements.query((draft) => {
      const all = listMessages(draft, conversationId)
      const { rows } = pageOf(
        all.filter(({ number }) => before === null || number < before),
        slice,
      )
      return {
        ...{ rows: rows.map((message) => describeForAdmin(draft, message)), total: all.length },
        last_number: rows.at(-1)?.number ?? null,
      }
    }),
  erase: (id, senderId) =>
    statements.change((draft) => {
      const [message] = select(draft, messageShape, { id, sender_id: senderId })
      if (message === undefined) return false
      replaceRow(draft, messageShape, message, { ...message, body: null })
      return true
    }),
  forgetSender: (userId, limit) =>
    statements.change((draft) => {
      const written = select(draft, messageShape, { sender_id: userId }).slice(0, limit)
      for (const message of written) replaceRow(draft, messageShape, message, { ...message, sender_id: null })
      return written.length
    }),
  removeSome: (conversationIds, limit) =>
    statements.change((draft) => {
      const oldest = keepIds(conversationIds).flatMap((id) => listMessages(draft, id).toReversed())
      const gone = oldest.slice(0, limit)
      for (const message of gone) removeMessage(draft, message)
      return gone.length
    }),
  newest: (limit) =>
    statements.query((draft) =>
      [...rowsOf(draft, messageShape).values()]
        .filter(({ body }) => body !== null)
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(({ id, created_at }) => ({ id, created_at })),
    ),
})
