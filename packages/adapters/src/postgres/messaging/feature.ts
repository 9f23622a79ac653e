import type { MessagingDb } from "@hearth/core/messaging"
import type { TenantFeature } from "../feature.ts"
import { makeConversations } from "./conversations.ts"
import { Conversation, Message, messaging, Participant } from "./entities.ts"
import { makeMessages } from "./messages.ts"
import { makeParticipants } from "./participants.ts"

/** Messaging in PostgreSQL: tables and repositories. */
export const messagingFeature: TenantFeature<MessagingDb> = {
  tenant: {
    entities: [Conversation, Participant, Message],
    steps: [messaging],
    repositories: {
      conversations: (statements, shapes) => makeConversations(statements, shapes(Conversation)),
      participants: (statements) => makeParticipants(statements),
      messages: (statements, shapes) => makeMessages(statements, shapes(Message)),
    },
  },
}
