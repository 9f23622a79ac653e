import { type Effect, Schema } from "effect"
import { failure, type TenantFailure } from "../failure.ts"
import type { RuleType } from "./rule.ts"

/** What is moderated: whatever end users write for others to read [I6.2]. */
const contentTypes = ["content_item", "message", "review", "group", "user"] as const

/** The kind of a piece of content. */
export const ContentType = Schema.Literals(contentTypes)
export type ContentType = typeof ContentType.Type

/**
 * What moderation says of a piece of content, beside its own flags [I6.3]. Others see it where both allow it; its author sees it while
 * it is held.
 */
export const ModerationState = Schema.Literals(["shown", "held", "rejected"])
export type ModerationState = typeof ModerationState.Type

/** A client wrote what a rule refuses [I6.1]. Messages answer it as `MESSAGE_REJECTED`. */
export class ContentRejected extends failure(
  "ContentRejected",
  "invalid",
  "CONTENT_REJECTED",
  "The text is not allowed here.",
) {}

/** What a client has written. */
export interface WrittenText {
  /** What all rules read. Null and empty texts are skipped. */
  readonly texts: ReadonlyArray<string | null>
  /** What `link` rules read as well: fields that are addresses. */
  readonly urls: ReadonlyArray<string | null>
}

/** A piece of content with its author, as rules and moderators read it. */
export interface Submission extends WrittenText {
  readonly content_type: ContentType
  readonly content_id: string
  /** Null where the author is gone. */
  readonly app_user_id: string | null
}

/** A piece of content as it is. */
export interface FoundContent extends Submission {
  readonly state: ModerationState
  /** What others read of it, where these are not its `texts`. */
  readonly shown_texts?: WrittenText["texts"]
}

/** Which active rules a text matches, found before the transaction that writes it. It is opaque to features. */
export interface Findings {
  readonly action: "flag" | "hold" | null
  /** The rule whose action it is; null where none matches. */
  readonly rule_id: string | null
  /** Its type. */
  readonly reason: RuleType | null
  /** What the queue shows of the text: at most 280 characters. */
  readonly excerpt: string
}

/** Moderates what clients write. A feature is given one; the admin plane's own content does not pass through it [I6.2]. */
export interface Moderate<Db> {
  /** Reads the text with the project's active rules. Call it outside of transactions. Fails where a rule refuses the text. */
  check(projectId: string, written: WrittenText): Effect.Effect<Findings, ContentRejected | TenantFailure>
  /**
   * Queues what was found, and answers the state that the content is to have. Call it in the transaction that writes the content,
   * after that has been locked (new content needs no lock), as the last lock but log and outbox. `before` is its state until
   * now, null for new content: `rejected` stays, a clean text lifts no hold. Without findings and for new content it runs no
   * statement. Of an author with `auto_approve` nothing is queued or held.
   */
  record(
    db: Db,
    findings: Findings,
    content: Pick<Submission, "content_type" | "content_id"> & { readonly app_user_id: string },
    before: ModerationState | null,
  ): Effect.Effect<ModerationState>
  /** Whether the author's trust has `auto_approve`. */
  isTrusted(db: Db, userId: string): Effect.Effect<boolean>
  /** Notes that the admin plane has changed a text: it can be reported again [I6.4]. */
  noteChange(db: Db, contentType: ContentType, contentId: string): Effect.Effect<void>
}

/** Which content it is and since when, without its texts: of many they are read a few at a time. */
export interface DatedContent {
  readonly id: string
  readonly created_at: Date
}

/** What a feature does with its content for moderation. Each is registered once, in `feature-lists.ts`. */
export interface ModeratedContent<Db> {
  readonly content_type: ContentType
  /** The content as it is; null where it is gone. With `lock` its row is held, in the order of locks of its feature. */
  find(db: Db, id: string, options: { readonly lock: boolean }): Effect.Effect<FoundContent | null>
  /** Whether this user can see it: for reports, which answer 404 otherwise [I6.4]. */
  isVisibleTo(db: Db, id: string, userId: string): Effect.Effect<boolean>
  /** Shows it: what `approve` does [I6.3]. The caller has locked it with `find`. */
  show(db: Db, id: string, at: Date): Effect.Effect<void>
  /** Hides it: what `reject` does [I6.3]. The caller has locked it with `find`. */
  hide(db: Db, id: string, at: Date): Effect.Effect<void>
  /** Which is the newest content of clients, at most `limit`, for the preview of a rule [I6.5]. */
  newest(db: Db, limit: number): Effect.Effect<ReadonlyArray<DatedContent>>
}
