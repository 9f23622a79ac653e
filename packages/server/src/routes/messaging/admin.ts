import { ListCursor, NotFound } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import { AdminConversation, AdminMessage, MessageCursor, MessagingStats } from "@hearth/core/messaging"
import { paging, readsOn } from "../../http/request/query.ts"
import { deleted, listPageOf, ok } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Spec: admin plane, messaging. */
export const adminMessagingRoutes = [
  route("GET", "/admin/projects/:projectId/messaging/stats", {
    id: "messaging.stats",
    summary: "Counts conversations, messages, and conversations with a message in the last 24 hours",
    description: "Three figures for an overview.",
    access: "developer",
    returns: ok(MessagingStats),
    run: ({ core, params }) => core.adminMessaging.stats(params.projectId),
  }),
  route("GET", "/admin/projects/:projectId/messaging/conversations", {
    id: "messaging.conversations.list",
    summary: "Lists all conversations, the latest first",
    description:
      "For moderators: also those that the caller is not part of. With `cursor=start`, and the `next_cursor` of each answer from then on, the list is read to its end, however long it is; what somebody writes in meanwhile is at its front.",
    access: "developer",
    query: { ...paging(), ...readsOn(ListCursor) },
    malformed: { cursor: InvalidCursor },
    returns: listPageOf(AdminConversation, ListCursor),
    run: ({ core, params, query }) => core.adminMessaging.conversations(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/messaging/conversations/:conversationId/messages", {
    id: "messaging.messages.list",
    summary: "Lists the messages of a conversation with what is held or rejected, the newest first",
    description:
      "`moderation` says whether users see it. With `cursor=start`, and the `next_cursor` of each answer from then on, the whole conversation is read; such a page may be short, and only a `next_cursor` of null is the end.",
    access: "developer",
    query: { ...paging(), ...readsOn(MessageCursor) },
    malformed: { cursor: InvalidCursor },
    errors: [NotFound],
    returns: listPageOf(AdminMessage, MessageCursor),
    run: ({ core, params, query }) => core.adminMessaging.messages(params.projectId, params.conversationId, query),
  }),
  route("DELETE", "/admin/projects/:projectId/messaging/messages/:messageId", {
    id: "messaging.messages.delete",
    summary: "Removes a message altogether",
    description: "Nothing of it stays. Cannot be undone.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.adminMessaging.remove(params.projectId, params.messageId),
  }),
]
