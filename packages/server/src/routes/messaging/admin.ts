import { NotFound } from "@hearth/core"
import { AdminConversation, AdminMessage, MessagingStats } from "@hearth/core/messaging"
import { paging } from "../../http/request/query.ts"
import { deleted, ok, pageOf } from "../../http/response/answers.ts"
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
    description: "For moderators: also those that the caller is not part of.",
    access: "developer",
    query: paging(),
    returns: pageOf(AdminConversation),
    run: ({ core, params, query }) => core.adminMessaging.conversations(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/messaging/conversations/:conversationId/messages", {
    id: "messaging.messages.list",
    summary: "Lists the messages of a conversation with what is held or rejected, the newest first",
    description: "`moderation` says whether users see it.",
    access: "developer",
    query: paging(),
    errors: [NotFound],
    returns: pageOf(AdminMessage),
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
