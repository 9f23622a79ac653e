import type { MessagingDb } from "@hearth/core/messaging"
import type { TenantFeature } from "../feature.ts"
import { any, instant, keepList, limit, orNull, place, slice, text, uuid } from "../memory/arguments.ts"
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
        lockMany: [keepList(uuid)],
        pageOfUser: [uuid, slice],
        view: [uuid, uuid],
        pageOfAll: [slice],
        listOfAll: [place, slice],
        stats: [instant],
        refresh: [uuid],
        removeMany: [keepList(uuid)],
        forgetUser: [uuid, keepList(uuid)],
      },
      participants: {
        add: [uuid, keepList(uuid), instant],
        find: [uuid, uuid],
        list: [uuid],
        listOfUser: [uuid, limit],
        sole: [keepList(uuid)],
        full: [keepList(uuid)],
        read: [uuid, uuid],
        remove: [uuid, keepList(uuid)],
      },
      messages: {
        lockToWrite: [uuid, uuid],
        findRepeated: [uuid, uuid, text],
        pageForUser: [uuid, uuid, any, slice],
        pageForAdmin: [uuid, orNull(limit), slice],
        erase: [uuid, uuid],
        forgetSender: [uuid, limit],
        removeSome: [keepList(uuid), limit],
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
