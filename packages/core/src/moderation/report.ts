import { Effect, Option, Schema, Struct } from "effect"
import { InvalidToken, NotFound } from "../failure.ts"
import type { Limits } from "../limits/limits.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { text, Uuid } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import { ContentType, type FoundContent, type ModeratedContent, type Submission } from "./content.ts"
import { excerpt } from "./excerpt.ts"
import type { ModerationDb } from "./port.ts"
import type { QueueItemRow } from "./queue-item.ts"
import { digestText } from "./text-digest.ts"

/** What a user reports, and why. */
export const NewReport = Schema.Struct({
  target_type: ContentType,
  target_id: Uuid,
  reason: text(1, 1_000),
}).annotate({ identifier: "NewReport" })
export type NewReport = typeof NewReport.Type

type ReportsDb = ModerationDb & UsersDb

/** What a user who sees a content reads of it: its author also what is held [I6.3]. */
const readAs = (userId: string, { app_user_id, shown_texts, state, texts }: FoundContent) =>
  state === "held" && app_user_id === userId ? texts : (shown_texts ?? texts)

/** Reports of content by those who see it [I6.4]. */
export const makeReport = <Db extends ReportsDb>(
  { clock, ids, signatures, tenants }: Pick<Ports<Db>, "clock" | "ids" | "signatures" | "tenants">,
  contents: ReadonlyArray<ModeratedContent<Db>>,
  limits: Pick<Limits, "report">,
) => {
  const makeItem = (content: Submission): QueueItemRow => ({
    ...{ id: ids.uuid(), reason: "reported", status: "pending", created_at: clock.now(), is_open: true },
    ...Struct.pick(content, ["content_type", "content_id", "app_user_id"]),
    ...{ moderator_id: null, resolved_at: null, rule_id: null, text_digest: null },
    excerpt: excerpt(content.texts),
  })

  /** The open item of a content; one that approved this very text; else a new one. */
  const findItem = Effect.fnUntraced(function* (db: Db, content: Submission, digest: string) {
    const open = Option.getOrNull(yield* db.moderationQueue.lockOpen(content))
    if (open !== null) return open
    const resolved = Option.getOrNull(yield* db.moderationQueue.findResolved(content))
    if (resolved?.status === "approved" && resolved.text_digest === digest) return resolved
    const item = makeItem(content)
    yield* Effect.orDie(db.moderationQueue.insert(item))
    return item
  })

  /** Locks who reports, and with them a user who is reported: users by id, as everywhere. Answers whether the reporter is there. */
  const lockReporter = (db: Db, userId: string, { target_type, target_id }: NewReport) =>
    target_type === "user"
      ? Effect.map(db.users.lockMany([...new Set([userId, target_id])]), (found) => found.includes(userId))
      : Effect.map(db.users.lock(userId, "key share"), Option.isSome)

  /**
   * Reports a content. A caller counts once per text of it; a text that was approved is not queued again. What the caller cannot see is
   * not there. Answers the item with the caller's own reasons, and of the text what the caller sees now: what was queued may be hidden.
   */
  return Effect.fn("moderation.report")(function* (projectId: string, userId: string, input: NewReport) {
    yield* limits.report(projectId, userId)
    const { target_type, target_id, reason } = input
    const kind = contents.find(({ content_type }) => content_type === target_type)
    if (kind === undefined) return yield* new NotFound()
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        if (!(yield* lockReporter(db, userId, input))) return yield* new InvalidToken()
        // Locked, so that neither its text nor its item changes before the report is written.
        const content = yield* kind.find(db, target_id, { lock: true })
        if (content === null || !(yield* kind.isVisibleTo(db, target_id, userId))) return yield* new NotFound()
        const text_digest = digestText(signatures, content)
        const item = yield* findItem(db, content, text_digest)
        if (item.is_open) {
          const report = { id: ids.uuid(), item_id: item.id, content_type: target_type, content_id: target_id }
          yield* db.moderationReports.add({
            ...report,
            ...{ app_user_id: userId, text_digest, reason, created_at: clock.now() },
          })
        }
        const shown = yield* orFail(db.moderationQueue.show(item.id, userId), NotFound)
        return { ...shown, excerpt: excerpt(readAs(userId, content)) }
      }),
    )
  })
}
