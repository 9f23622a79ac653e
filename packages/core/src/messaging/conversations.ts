import { Effect, Option } from "effect"
import { Forbidden, InvalidInput, InvalidToken, NotFound, QuotaExceeded } from "../failure.ts"
import type { Limits } from "../limits/limits.ts"
import { orFail } from "../lookup.ts"
import { ContentRejected, type Findings, type Moderate } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { RelationsDb } from "../relations/port.ts"
import { Blocked } from "../relations/relation.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import { type ConversationRow, maxParticipants, type NewConversation, NotParticipant } from "./conversation.ts"
import { findNumber } from "./find-message.ts"
import type { MessagingDb } from "./port.ts"
import { joinPair, readOthers } from "./rules.ts"

/** The most conversations of a user [I0.2]. */
const maxConversations = 10_000
/** So many messages go in one transaction when a conversation is removed. */
const pieceSize = 500

type Db = MessagingDb & ModerationDb & RelationsDb & UsersDb

const invalid = (path: string, message: string) => new InvalidInput({ issues: [{ path, message }] })

/** Locks users who are to take part. Fails where the caller or one of the others is gone. */
const lockUsers = Effect.fnUntraced(function* (db: Db, userId: string, otherIds: ReadonlyArray<string>) {
  const known = new Set(yield* db.users.lockMany([userId, ...otherIds]))
  if (!known.has(userId)) return yield* new InvalidToken()
  return otherIds.filter((id) => !known.has(id))
})

/** Fails where one of the newcomers and another one of all have blocked each other, or where a newcomer has too many [I4.3, I0.2]. */
const requireRoom = Effect.fnUntraced(function* (db: Db, newcomers: ReadonlyArray<string>, all: ReadonlyArray<string>) {
  if (yield* db.blocks.between(newcomers, all)) return yield* new Blocked()
  const full = yield* db.participants.full(newcomers, maxConversations)
  if (full.length > 0) return yield* new QuotaExceeded({ limit: maxConversations })
})

/** Conversations of end users (spec: messaging; I4). */
export const makeConversations = (
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  moderate: Moderate<ModerationDb>,
  countNew: Limits["newConversation"],
) => {
  const viewOf = (db: Db, id: string, userId: string) => orFail(db.conversations.view(id, userId), NotParticipant)

  /** The direct conversation of two users, where there is one. */
  const findDirect = Effect.fnUntraced(function* (db: Db, userId: string, otherId: string) {
    const found = Option.getOrNull(yield* db.conversations.find({ pair: joinPair(userId, otherId) }))
    if (found === null) return null
    if (yield* db.blocks.between([userId], [otherId])) return yield* new Blocked()
    // Whoever is being removed sees it no more.
    const row = Option.getOrNull(yield* db.conversations.view(found.id, userId))
    return row === null ? null : { created: false, row }
  })

  /** There is no queue for names: what a rule would hold is refused, unless the author is trusted [I6.1]. */
  const requireShown = Effect.fnUntraced(function* (db: Db, { action }: Findings, userId: string) {
    if (action === "hold" && !(yield* moderate.isTrusted(db, userId))) return yield* new ContentRejected()
  })

  const insert = Effect.fnUntraced(function* (
    db: Db,
    userId: string,
    given: NewConversation,
    others: ReadonlyArray<string>,
  ) {
    const now = clock.now()
    const [other = ""] = others
    const isDirect = given.type === "direct"
    const row: ConversationRow = {
      id: ids.uuid(),
      type: given.type,
      name: isDirect ? null : given.name,
      creator_id: userId,
      pair: isDirect ? joinPair(userId, other) : null,
      ...{ created_at: now, newest_at: now, latest_at: now },
      ...{ last_number: 0, message_count: 0, held_count: 0 },
    }
    // Whoever opens a conversation of these two has locked them.
    yield* Effect.orDie(db.conversations.insert(row))
    yield* db.participants.add(row.id, [userId, ...others], now)
    return { created: true, row: Option.getOrThrow(yield* db.conversations.view(row.id, userId)) }
  })

  return {
    /**
     * Opens a conversation. A direct one of two users who have one is answered as it is [I4.1]. `USER_NOT_FOUND`; `INVALID_INPUT` for
     * nobody else or too many; `BLOCKED` where one of two has blocked the other [I4.3]; `CONTENT_REJECTED` for the name [I6.1];
     * `QUOTA_EXCEEDED` over 10,000 of a user [I0.2]; `RATE_LIMIT_EXCEEDED` [I0.1]; `INVALID_TOKEN` for a user who is gone.
     */
    open: Effect.fn("conversations.open")(function* (projectId: string, userId: string, given: NewConversation) {
      const chosen = readOthers(given, userId)
      if ("problem" in chosen) return yield* invalid("participant_ids", chosen.problem)
      const { others } = chosen
      const [other = ""] = others
      const isDirect = given.type === "direct"
      const findings = yield* moderate.check(projectId, { texts: [isDirect ? null : given.name], urls: [] })
      if (isDirect) {
        const present = yield* tenants.read(projectId, (db) => findDirect(db, userId, other))
        if (present !== null) return present
      }
      const opened = tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const unknown = yield* lockUsers(db, userId, others)
          if (unknown.length > 0) return yield* new UserNotFound({ app_user_ids: unknown })
          const present = isDirect ? yield* findDirect(db, userId, other) : null
          if (present !== null) return present
          const all = [userId, ...others]
          yield* requireRoom(db, all, all)
          yield* requireShown(db, findings, userId)
          return yield* insert(db, userId, given, others)
        }),
      )
      return yield* isDirect ? countNew(projectId, userId)(opened) : opened
    }),

    /** What the caller takes part in, the latest first [I4.1]. */
    list: (projectId: string, userId: string, slice: Slice) =>
      tenants.read(projectId, (db) => db.conversations.pageOfUser(userId, slice)),

    /**
     * Adds users to a group conversation that the caller has begun. Those who take part already stay as they are [I4.2].
     * `NOT_PARTICIPANT`; `FORBIDDEN` for who has not begun it; `INVALID_INPUT` for a direct one; `USER_NOT_FOUND`; `BLOCKED` [I4.3];
     * `QUOTA_EXCEEDED` [I0.2]; `INVALID_TOKEN` for a user who is gone.
     */
    addParticipants: Effect.fn("conversations.addParticipants")(function* (
      projectId: string,
      userId: string,
      id: string,
      given: ReadonlyArray<string>,
    ) {
      const wanted = [...new Set(given)]
      if (wanted.length === 0 || wanted.length >= maxParticipants)
        return yield* invalid("app_user_ids", `must be 1 to ${maxParticipants - 1} users`)
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const unknown = yield* lockUsers(db, userId, wanted)
          const conversation = yield* orFail(db.conversations.lock(id), NotParticipant)
          const present = yield* db.participants.list(id)
          if (!present.includes(userId)) return yield* new NotParticipant()
          if (conversation.type === "direct")
            return yield* invalid("id", "must be a group: a direct conversation is of two")
          if (conversation.creator_id !== userId)
            return yield* new Forbidden(undefined, "Only who began the conversation may add others.")
          if (unknown.length > 0) return yield* new UserNotFound({ app_user_ids: unknown })
          const newcomers = wanted.filter((each) => !present.includes(each))
          const all = [...present, ...newcomers]
          yield* requireRoom(db, newcomers, all)
          if (all.length > maxParticipants) return yield* new QuotaExceeded({ limit: maxParticipants })
          yield* db.participants.add(id, newcomers, clock.now())
          return yield* viewOf(db, id, userId)
        }),
      )
    }),

    /**
     * Notes what the caller has read, up to a message or to the newest. It never moves back [I4.2]. `NOT_PARTICIPANT`; `NOT_FOUND`
     * without the message.
     */
    read: Effect.fn("conversations.read")((projectId: string, userId: string, id: string, messageId: string | null) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          yield* orFail(db.participants.find(id, userId), NotParticipant)
          const number = messageId === null ? null : yield* orFail(findNumber(db, id, userId, messageId), NotFound)
          if (!(yield* db.participants.read(id, userId, number))) return yield* new NotParticipant()
          return yield* viewOf(db, id, userId)
        }),
      ),
    ),

    /**
     * Takes the caller out of a group. With the last one it is removed, its messages in pieces [I4.2]. `NOT_PARTICIPANT`; `INVALID_INPUT`
     * for a direct one.
     */
    leave: Effect.fn("conversations.leave")(function* (projectId: string, userId: string, id: string) {
      const leavePiece = tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db: Db) {
          const conversation = yield* orFail(db.conversations.lock(id), NotParticipant)
          yield* orFail(db.participants.find(id, userId), NotParticipant)
          if (conversation.type === "direct")
            return yield* invalid("id", "must be a group: a direct conversation stays")
          // With the first piece: nobody is added any more to what is left.
          yield* db.conversations.forgetUser(userId, [id])
          if ((yield* db.participants.sole([id])).length === 0) {
            yield* db.participants.remove(userId, [id])
            return true
          }
          if ((yield* db.messages.removeSome([id], pieceSize)) === pieceSize) return false
          yield* db.conversations.removeMany([id])
          return true
        }),
      )
      while (!(yield* leavePiece)) yield* Effect.void
      return { left: true } as const
    }),
  }
}
