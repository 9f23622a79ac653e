import type { MessagingDb } from "@hearth/core/messaging"
import type { TenantFeature } from "../feature.ts"
import { any, instant, limit, listOf, orNull, place, slice, text, uuid } from "../memory/arguments.ts"
import { memoryConversations } from "./memory-conversations.ts"
import { memoryMessages } from "./memory-messages.ts"
import { memoryParticipants } from "./memory-participants.ts"
import { conversationShape, messageShape, participantShape } from "./shapes.ts"

/** Messaging in tests: tables and repositories in memory. */
export const messagingFeature: TenantFeature<MessagingDb> = {
  tenant: {
    shapes: [conversationShape, participantShape, messageShape],
    sections: {
      conversations: conversationShape,
      conversation_participants: participantShape,
      messages: messageShape,
    },
    rules: {
      conversations: {
        lockMany: [listOf(uuid)],
        pageOfUser: [uuid, slice],
        view: [uuid, uuid],
        pageOfAll: [slice],
        listOfAll: [place, slice],
        stats: [instant],
        refresh: [uuid],
        removeMany: [listOf(uuid)],
        forgetUser: [uuid, listOf(uuid)],
      },
      participants: {
        add: [uuid, listOf(uuid), instant],
        find: [uuid, uuid],
        list: [uuid],
        listOfUser: [uuid, limit],
        sole: [listOf(uuid)],
        full: [listOf(uuid)],
        read: [uuid, uuid],
        remove: [uuid, listOf(uuid)],
      },
      messages: {
        lockToWrite: [uuid, uuid],
        findRepeated: [uuid, uuid, text],
        pageForUser: [uuid, uuid, any, slice],
        pageForAdmin: [uuid, orNull(limit), slice],
        erase: [uuid, uuid],
        forgetSender: [uuid, limit],
        removeSome: [listOf(uuid), limit],
        newest: [limit],
      },
    },
    make: ({ statements }) => ({
      conversations: memoryConversations(statements),
      participants: memoryParticipants(statements),
      messages: memoryMessages(statements),
    }),
  },
}
