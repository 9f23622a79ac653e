import { cutToHour, type Participants } from "@hearth/core/messaging"
import { Effect, Option } from "effect"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { select } from "../memory/table.ts"
import { listParticipants, visibleTo } from "./read.ts"
import { conversationShape, participantShape } from "./shapes.ts"

const find = (draft: Draft, conversation_id: string, app_user_id: string) =>
  select(draft, participantShape, { conversation_id, app_user_id })[0]

/** Who takes part in the conversations of a project. */
export const memoryParticipants = (statements: Statements): Participants => ({
  add: (conversationId, userIds, at) =>
    statements.change((draft) => {
      const [conversation] = select(draft, conversationShape, { id: conversationId })
      if (conversation === undefined) return
      const { id: conversation_id, last_number, latest_at } = conversation
      for (const app_user_id of keepIds(userIds)) {
        const id = `${conversation_id}/${app_user_id}`
        if (rowsOf(draft, participantShape).get(id) !== undefined) continue
        const row = { id, conversation_id, app_user_id, joined_at: at, read_number: last_number, held_at: null }
        insertRow(draft, participantShape, { ...row, latest_hour: cutToHour(latest_at) })
      }
    }),
  find: (conversationId, userId) =>
    Effect.map(
      statements.query((draft) => {
        const found = find(draft, conversationId, userId)
        if (found === undefined) return undefined
        const { id: _, ...participant } = found
        return participant
      }),
      Option.fromUndefinedOr,
    ),
  list: (conversationId) =>
    statements.query((draft) => listParticipants(draft, conversationId).map(({ app_user_id }) => app_user_id)),
  listOfUser: (userId, limit) =>
    statements.query((draft) =>
      select(draft, participantShape, { app_user_id: userId })
        .map(({ conversation_id }) => conversation_id)
        .sort()
        .slice(0, limit),
    ),
  sole: (conversationIds) =>
    statements.query((draft) => keepIds(conversationIds).filter((id) => listParticipants(draft, id).length === 1)),
  full: (userIds, most) =>
    statements.query((draft) =>
      keepIds(userIds).filter((app_user_id) => select(draft, participantShape, { app_user_id }).length >= most),
    ),
  read: (conversationId, userId, number) =>
    statements.change((draft) => {
      const present = find(draft, conversationId, userId)
      if (present === undefined) return false
      const newest = visibleTo(draft, conversationId, present.app_user_id)[0]?.number ?? 0
      const read_number = Math.max(present.read_number, number ?? newest)
      replaceRow(draft, participantShape, present, { ...present, read_number })
      return true
    }),
  remove: (userId, conversationIds) =>
    statements.change((draft) => {
      const rows = keepIds(conversationIds).flatMap((id) => find(draft, id, userId) ?? [])
      for (const row of rows) removeRow(draft, participantShape, row)
      return rows.length
    }),
})
