import type { MessagingDb } from "@hearth/core/messaging"
import type { TenantFeature } from "../feature.ts"
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
    make: ({ statements }) => ({
      conversations: memoryConversations(statements),
      participants: memoryParticipants(statements),
      messages: memoryMessages(statements),
    }),
  },
}
