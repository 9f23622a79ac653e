import { Effect, Option } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken, NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Findings, Moderate } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { RelationsDb } from "../relations/port.ts"
import { Blocked } from "../relations/relation.ts"
import { NotParticipant } from "./conversation.ts"
import { findNumber } from "./find-message.ts"
import { MessageRejected, type NewMessage, UnknownMessage } from "./message.ts"
import type { MessagingDb, WrittenMessage } from "./port.ts"
import { otherOfPair } from "./rules.ts"

type Db = BackgroundDb & EventsDb & MessagingDb & ModerationDb & RelationsDb

/** Which messages of a conversation a caller asks for: by the ids of messages, both left out. */
export interface MessageQuery extends Slice {
  readonly before?: string
  readonly after?: string
}

/** `message_sent` of its sender [I4.4]. */
const describeSent = ({ id, conversation_id, sender_id, created_at }: WrittenMessage) => ({
  app_user_id: sender_id,
  event_name: "message_sent",
  properties: { conversation_id, message_id: id },
  occurred_at: created_at,
  cause_key: `messaging/${id}/message_sent`,
})

/** What end users write to one another (spec: messaging; I4.2). */
export const makeMessages = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
  moderate: Moderate<ModerationDb>,
) => {
  /** What a text that is refused answers: where it repeats a message that was taken, that one. */
  const findTaken = (projectId: string, conversationId: string, userId: string, given: NewMessage) =>
    tenants.read(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        yield* orFail(db.participants.find(conversationId, userId), NotParticipant)
        const repeated = given.client_message_id ?? null
        if (repeated === null) return yield* new MessageRejected()
        return yield* orFail(db.messages.findRepeated(conversationId, userId, repeated), MessageRejected)
      }),
    )

  const write = Effect.fnUntraced(function* (db: Db, message: WrittenMessage) {
    const isNew = yield* db.messages.write(message)
    if (isNew) yield* db.events.insertCaused([{ ...describeSent(message), id: ids.uuid() }])
    return isNew
  })

  /** Writes in a transaction. A repeat answers the message that was there, and leaves no trace. */
  const send = (projectId: string, conversation_id: string, userId: string, given: NewMessage, findings: Findings) =>
    background.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        const { sender, conversation } = yield* db.messages.lockToWrite(conversation_id, userId)
        if (sender === null) return yield* new InvalidToken()
        if (conversation === null) return yield* new NotParticipant()
        const other = otherOfPair(conversation.pair, userId)
        const isBlocked = other !== null && (yield* db.blocks.between([userId], [other]))
        const { body, client_message_id = null } = given
        const findFirst = Effect.suspend(() =>
          db.messages.findRepeated(conversation_id, userId, client_message_id ?? ""),
        )
        // What is queued must be written, and a repeat writes nothing that a block could refuse.
        const mayRepeat = client_message_id !== null && (isBlocked || findings.action !== null)
        const earlier = mayRepeat ? yield* findFirst : Option.none()
        if (Option.isSome(earlier)) return { created: false, row: earlier.value }
        if (isBlocked) return yield* new Blocked()
        const id = ids.uuid()
        const content = { content_type: "message", content_id: id, app_user_id: userId } as const
        const moderation = yield* moderate.record(db, findings, content, null)
        const message = { id, conversation_id, sender_id: userId, body, created_at: clock.now() }
        return (yield* write(db, { ...message, client_message_id, moderation }))
          ? { created: true, row: { ...message, sender } }
          : { created: false, row: Option.getOrThrow(yield* findFirst) }
      }),
    )

  return {
    /**
     * Writes a message. A repeat, told by its `client_message_id`, answers the first one, whatever block or rule there is by now [I4.2].
     * `NOT_PARTICIPANT`; `BLOCKED` in a direct conversation [I4.3]; `MESSAGE_REJECTED` by a rule [I6.1]; `INVALID_TOKEN` for a user who
     * is gone.
     */
    send: Effect.fn("messages.send")(function* (
      projectId: string,
      userId: string,
      conversationId: string,
      given: NewMessage,
    ) {
      const written = { texts: [given.body], urls: [] }
      const findings = yield* Effect.catchTag(moderate.check(projectId, written), "ContentRejected", () =>
        Effect.succeed(null),
      )
      return findings === null
        ? { created: false, row: yield* findTaken(projectId, conversationId, userId, given) }
        : yield* send(projectId, conversationId, userId, given, findings)
    }),

    /**
     * What the caller sees of a conversation, the newest first [I4.2]. `NOT_PARTICIPANT`; `INVALID_CURSOR` for a `before` or `after` that
     * is no message of it.
     */
    list: Effect.fn("messages.list")(
      (projectId: string, userId: string, id: string, { before, after, ...slice }: MessageQuery) =>
        tenants.read(
          projectId,
          Effect.fnUntraced(function* (db: Db) {
            yield* orFail(db.participants.find(id, userId), NotParticipant)
            const place = (messageId: string | undefined) =>
              messageId === undefined
                ? Effect.succeed(null)
                : orFail(findNumber(db, id, userId, messageId), UnknownMessage)
            const range = { before: yield* place(before), after: yield* place(after) }
            return yield* db.messages.pageForUser(id, userId, range, slice)
          }),
        ),
    ),

    /** Removes the body of a message that the caller has sent, for everybody. `NOT_FOUND`, also for another's [I4.2]. */
    removeOwn: Effect.fn("messages.removeOwn")(function* (projectId: string, userId: string, id: string) {
      const isErased = yield* tenants.transact(projectId, (db) => db.messages.erase(id, userId))
      if (!isErased) return yield* new NotFound()
    }),
  }
}
