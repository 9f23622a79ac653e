import { Effect, Option, Schema } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import { Timestamp, Uuid } from "../schema.ts"
import type { StreaksDb } from "../streaks/port.ts"
import { ExplainedNode, explainRules } from "./explain.ts"
import { parseRules } from "./parse-rules.ts"
import type { SegmentsDb } from "./port.ts"
import { readUserFacts } from "./read-user-facts.ts"

/** Why a user is in a segment or not. */
export const MembershipExplained = Schema.Struct({
  segment_id: Uuid,
  user_id: Uuid,
  /** Whether the rules match the user as of `explained_at`. */
  matches: Schema.Boolean,
  /** Whether the user is a member: by the rules as of `evaluated_at`, or added by hand. */
  is_member: Schema.Boolean,
  is_manual: Schema.Boolean,
  evaluated_at: Schema.NullOr(Timestamp),
  explained_at: Timestamp,
  tree: ExplainedNode,
}).annotate({ identifier: "MembershipExplained" })

/**
 * Matches the rules of a segment against a user, with streaks as they are at `now`. Fails with `InvalidRules` when the
 * stored rules can no longer be read.
 */
export const explainMembership = Effect.fnUntraced(function* (
  db: SegmentsDb & StreaksDb,
  segmentId: string,
  userId: string,
  now: Date,
) {
  const segment = yield* orFail(db.segments.find({ id: segmentId }), NotFound)
  const rules = yield* Effect.fromResult(parseRules(segment.rules))
  const facts = yield* orFail(readUserFacts(db, userId, [rules], now), NotFound)
  const tree = explainRules(rules, facts, now)
  const membership = yield* db.segments.membership(segmentId, userId)
  return {
    segment_id: segment.id,
    user_id: userId,
    matches: tree.matches,
    is_member: Option.isSome(membership),
    is_manual: Option.exists(membership, ({ is_manual }) => is_manual),
    evaluated_at: segment.last_evaluated_at,
    explained_at: now,
    tree,
  }
})
