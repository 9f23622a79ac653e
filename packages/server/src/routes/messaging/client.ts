import { Forbidden, InvalidInput, InvalidToken, NotFound, QuotaExceeded, RateLimitExceeded, Uuid } from "@hearth/core"
import {
  Conversation,
  Left,
  Message,
  MessageRejected,
  NewConversation,
  NewMessage,
  NewParticipants,
  NotParticipant,
  ReadMark,
  UnknownMessage,
} from "@hearth/core/messaging"
import { ContentRejected } from "@hearth/core/moderation"
import { Blocked } from "@hearth/core/relations"
import { UserNotFound } from "@hearth/core/users"
import { Schema } from "effect"
import { paging } from "../../http/request/query.ts"
import { created, deleted, ok, pageOf, upserted } from "../../http/response/answers.ts"
import { route } from "../route.ts"

/** Decisions D and I4: conversations of the caller. */
const conversations = [
  route("POST", "/client/messaging/conversations", {
    id: "client.messaging.conversations.create",
    summary: "Opens a conversation; a direct one that the two have is answered as it is",
    description: "`direct` is with one other user, `group` with 1 to 99 others and perhaps a name.",
    access: "client",
    body: NewConversation,
    errors: [InvalidInput, InvalidToken, ContentRejected, UserNotFound, Blocked, QuotaExceeded, RateLimitExceeded],
    returns: upserted(Conversation),
    run: ({ core, caller, body }) => core.conversations.open(caller.project_id, caller.user_id, body),
  }),
  route("GET", "/client/messaging/conversations", {
    id: "client.messaging.conversations.list",
    summary: "Lists the caller's conversations with what is unread, the latest first",
    description: "With the last message and the number of unread ones.",
    access: "client",
    query: paging(),
    returns: pageOf(Conversation),
    run: ({ core, caller, query }) => core.conversations.list(caller.project_id, caller.user_id, query),
  }),
  route("POST", "/client/messaging/conversations/:id/read", {
    id: "client.messaging.conversations.read",
    summary: "Notes what the caller has read, up to a message or to the newest; it never moves back",
    description: "Without `message_id` everything is read.",
    access: "client",
    body: ReadMark,
    optionalBody: true,
    errors: [InvalidInput, NotParticipant, NotFound],
    returns: ok(Conversation),
    run: ({ core, caller, params, body }) =>
      core.conversations.read(caller.project_id, caller.user_id, params.id, body.message_id ?? null),
  }),
  route("POST", "/client/messaging/conversations/:id/participants", {
    id: "client.messaging.conversations.addParticipants",
    summary: "Adds users to a group that the caller has opened",
    description: "Users between whom there is a block are refused.",
    access: "client",
    body: NewParticipants,
    errors: [InvalidInput, InvalidToken, NotParticipant, Forbidden, UserNotFound, Blocked, QuotaExceeded],
    returns: created(Conversation),
    run: ({ core, caller, params, body }) =>
      core.conversations.addParticipants(caller.project_id, caller.user_id, params.id, body.app_user_ids),
  }),
  route("POST", "/client/messaging/conversations/:id/leave", {
    id: "client.messaging.conversations.leave",
    summary: "Takes the caller out of a group; with the last one it is removed",
    description: "A direct conversation cannot be left.",
    access: "client",
    errors: [InvalidInput, NotParticipant],
    returns: ok(Left),
    run: ({ core, caller, params }) => core.conversations.leave(caller.project_id, caller.user_id, params.id),
  }),
]

/** Decisions D and I4: messages. */
const messages = [
  route("GET", "/client/messaging/conversations/:id/messages", {
    id: "client.messaging.messages.list",
    summary:
      "Lists what the caller sees of a conversation, the newest first, between two messages where these are given",
    description: "Use `after` to fetch what is new and `before` to scroll back.",
    access: "client",
    query: { ...paging(), before: Schema.optionalKey(Uuid), after: Schema.optionalKey(Uuid) },
    malformed: { before: UnknownMessage, after: UnknownMessage },
    errors: [NotParticipant, UnknownMessage],
    returns: pageOf(Message),
    run: ({ core, caller, params, query }) => core.messages.list(caller.project_id, caller.user_id, params.id, query),
  }),
  route("POST", "/client/messaging/conversations/:id/messages", {
    id: "client.messaging.messages.send",
    summary: "Writes a message; one of a client_message_id that the caller has sent there is answered as it is",
    description: "Give a `client_message_id` of your own: then a message that is sent again is there once.",
    access: "client",
    body: NewMessage,
    errors: [InvalidInput, InvalidToken, NotParticipant, MessageRejected, Blocked],
    returns: upserted(Message),
    run: ({ core, caller, params, body }) => core.messages.send(caller.project_id, caller.user_id, params.id, body),
  }),
  route("DELETE", "/client/messaging/messages/:id", {
    id: "client.messaging.messages.delete",
    summary: "Removes the body of a message of the caller, for everybody",
    description: "A mark stays where it was: its `body` is null.",
    access: "client",
    errors: [NotFound],
    returns: deleted,
    run: ({ core, caller, params }) => core.messages.removeOwn(caller.project_id, caller.user_id, params.id),
  }),
]

/** Messaging between users. */
export const clientMessagingRoutes = [...conversations, ...messages]
