import { expect } from "vitest"
import { writePeople } from "../harness/people.ts"
import type { Tour } from "../harness/tour.ts"

interface Row {
  readonly id: string
}

/** A user opens conversations with two others, writes, reads, deletes, leaves; a developer looks on. */
export const tour: Tour = async ({ admin, client, sql, projectId, userId }) => {
  const [ada = "", bob = ""] = await writePeople(sql, projectId, "Ada", "Bob")
  const direct = { type: "direct", participant_ids: [ada] }
  const pair = await client("POST /client/messaging/conversations", { body: direct })
  expect(pair).toMatchObject({ type: "direct", name: null, participant_count: 2, last_message: null, unread_count: 0 })
  expect(await client("POST /client/messaging/conversations", { body: direct })).toEqual(pair)
  const group = { type: "group", participant_ids: [ada], name: "Team" }
  const { id } = await client<Row>("POST /client/messaging/conversations", { body: group })
  const joined = { id, body: { app_user_ids: [bob] } }
  expect(await client("POST /client/messaging/conversations/:id/participants", joined)).toMatchObject({
    ...{ id, type: "group", name: "Team", participant_count: 3 },
    participants: expect.arrayContaining([{ id: bob, display_name: "Bob", avatar_url: null }]),
  })

  const write = (body: string) =>
    client<Row>("POST /client/messaging/conversations/:id/messages", { id, body: { body, client_message_id: body } })
  const first = await write("hello")
  expect(first).toEqual({
    ...{ id: first.id, conversation_id: id, sender_id: userId, body: "hello", created_at: expect.any(String) },
    sender: { id: userId, display_name: expect.any(String), avatar_url: null },
  })
  expect(await write("hello")).toEqual(first)
  const second = await write("again")
  const messages = "GET /client/messaging/conversations/:id/messages"
  expect(await client(messages, { id })).toEqual([second, first])
  expect(await client(messages, { id, query: `after=${first.id}&limit=1` })).toEqual([second])
  expect(await client("GET /client/messaging/conversations")).toMatchObject([
    { id, last_message: second, unread_count: 0 },
    { id: pair["id"], last_message: null },
  ])
  const read = "POST /client/messaging/conversations/:id/read"
  expect(await client(read, { id, body: { message_id: first.id } })).toMatchObject({ id, unread_count: 0 })

  await client("DELETE /client/messaging/messages/:id", { id: second.id })
  expect(await client(messages, { id, query: "limit=1" })).toMatchObject([{ id: second.id, body: null }])

  expect(await admin("GET /messaging/stats")).toEqual({
    ...{ total_conversations: 2, total_messages: 2, active_conversations_24h: 1 },
  })
  const listed = { id, participant_count: 3, last_message: { id: second.id, moderation: "shown" } }
  expect(await admin("GET /messaging/conversations")).toMatchObject([listed, { type: "direct", last_message: null }])
  const all = "GET /messaging/conversations/:conversationId/messages"
  expect(await admin(all, { conversationId: id })).toMatchObject([{ id: second.id }, { id: first.id, body: "hello" }])
  await admin("DELETE /messaging/messages/:messageId", { messageId: second.id })
  expect(await admin(all, { conversationId: id })).toMatchObject([{ id: first.id }])

  expect(await client("POST /client/messaging/conversations/:id/leave", { id })).toEqual({ left: true })
  expect(await client("GET /client/messaging/conversations")).toMatchObject([{ id: pair["id"] }])
}
