import type { MessagingDb } from "@hearth/core/messaging"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { conversationsContract } from "./conversations.contract.ts"
import { memoryConversations } from "./memory-conversations.ts"
import { memoryMessages } from "./memory-messages.ts"
import { memoryParticipants } from "./memory-participants.ts"
import { messagesContract } from "./messages.contract.ts"
import { conversationShape, messageShape, participantShape } from "./shapes.ts"
import { conversations, conversationsSectionContract, messages, messagesSectionContract } from "./tables.ts"

/** Messaging in tests: tables and repositories in memory, contract suites. */
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
    contracts: [
      (open) => tableContract(open, conversations),
      (open) => tableContract(open, messages),
      conversationsContract,
      messagesContract,
      conversationsSectionContract,
      messagesSectionContract,
    ],
  },
}
