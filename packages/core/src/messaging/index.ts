export { makeAdminMessaging } from "./admin-messaging.ts"
export {
  AdminConversation,
  Conversation,
  ConversationRow,
  ConversationType,
  Left,
  MessagingStats,
  NewConversation,
  NewParticipants,
  NotParticipant,
  Participant,
  ReadMark,
} from "./conversation.ts"
export { makeConversations } from "./conversations.ts"
export { departFromMessaging } from "./departure.ts"
export {
  AdminMessage,
  Message,
  MessageRejected,
  MessageRow,
  NewMessage,
  UnknownMessage,
} from "./message.ts"
export { MessageCursor } from "./message-cursor.ts"
export { type MessageQuery, makeMessages } from "./messages.ts"
export { moderatedMessages } from "./moderated.ts"
export type {
  Conversations,
  CountChange,
  ListedConversation,
  MessageRange,
  Messages,
  MessagingDb,
  Participants,
  Writing,
  WrittenMessage,
} from "./port.ts"
export { cutToHour, isVisible, joinPair, maxUnread, seenAt, shownParticipants } from "./rules.ts"
export { conversationsSection, messagesSection } from "./sections.ts"
