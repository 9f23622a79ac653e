import { Schema, Struct } from "effect"
import { makeCursor } from "../cursor.ts"
import { Text, Timestamp, text, Uuid } from "../schema.ts"
import { Person } from "../users/user.ts"

/** A feed item as stored. Unique: event and rule. */
export const FeedItemRow = Schema.Struct({
  id: Uuid,
  event_id: Uuid,
  rule_id: Uuid,
  actor_id: Uuid,
  action: text(1, 64),
  target_id: Schema.NullOr(Text),
  /** The group whose event it was: where that is private, others do not see the item [I3.1]. */
  group_id: Schema.NullOr(Uuid),
  /** The group that is the target, where it is one. */
  target_group_id: Schema.NullOr(Uuid),
  /** The earlier of when it occurred and when it was handled. */
  created_at: Timestamp,
})
export type FeedItemRow = typeof FeedItemRow.Type

/** Something that a user did, as others read it (spec: feed item). */
export const FeedItem = Schema.Struct({
  ...Struct.pick(FeedItemRow.fields, ["id", "actor_id", "action", "target_id", "created_at"]),
  actor: Person,
}).annotate({ identifier: "FeedItem" })
export type FeedItem = typeof FeedItem.Type

/** Where a page of the feed ends. One that somebody has edited is refused. */
export const FeedCursor = makeCursor("created_at", { hasSum: true })

/** A page of the feed, the newest first. It may be short: only a `next_cursor` of null is the end [I3.2]. */
export const FeedPage = Schema.Struct({
  data: Schema.Array(FeedItem),
  next_cursor: Schema.NullOr(FeedCursor),
}).annotate({ identifier: "FeedPage" })
