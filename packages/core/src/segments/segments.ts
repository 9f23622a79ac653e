import { Effect, Option, Schema } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { LimitReached, NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { type JsonObject, Uuid } from "../schema.ts"
import type { StreaksDb } from "../streaks/port.ts"
import type { UsersDb } from "../users/port.ts"
import type { Evaluation } from "./evaluation.ts"
import { explainMembership } from "./explain-membership.ts"
import { EvaluateFailed, SystemSegment } from "./failures.ts"
import { parseRules } from "./parse-rules.ts"
import type { SegmentsDb } from "./port.ts"
import { mentionsStreaks } from "./rules.ts"
import type { NewSegment, SegmentChanges, SegmentRow } from "./segment.ts"

/** How many users a preview shows. */
const sampleSize = 10

// Each is evaluated every 15 minutes.
const maxSegments = 1_000

/** The answer of a requested evaluation. The segment's `last_evaluated_at` tells when it was done. */
export const EvaluationStarted = Schema.Struct({
  status: Schema.Literal("evaluating"),
  segment_id: Uuid,
}).annotate({ identifier: "EvaluationStarted" })

// Rules are stored as sent, with unknown keys. Valid rules are always an object.
const readRules = (rules: unknown) => Effect.as(Effect.fromResult(parseRules(rules)), rules as JsonObject)

const lockEditable = Effect.fnUntraced(function* (db: SegmentsDb, id: string) {
  const segment = yield* orFail(db.segments.lock(id), NotFound)
  return segment.is_system ? yield* new SystemSegment() : segment
})

/** Segments: named sets of users, defined by rules [E6]. */
export const makeSegments = (
  {
    clock,
    ids,
    tenants,
  }: Pick<Ports<BackgroundDb & EventsDb & SegmentsDb & StreaksDb & UsersDb>, "clock" | "ids" | "tenants">,
  evaluation: Pick<Evaluation, "nudge" | "expireStreaks" | "start">,
) => ({
  /**
   * Creates a segment. Its members are evaluated in the background [E6]. `INVALID_RULES`; `LIMIT_REACHED` over 1,000 of a project but its
   * system segments [G0.6].
   */
  create: Effect.fn("segments.create")(function* (projectId: string, input: NewSegment) {
    const rules = yield* readRules(input.rules)
    const segment = yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        // Two at once count one after the other.
        yield* db.outbox.hold()
        const { total } = yield* db.segments.page({ campaign_id: null, is_system: false }, [], { limit: 1, offset: 0 })
        if (total >= maxSegments) return yield* new LimitReached({ limit: maxSegments })
        const made: SegmentRow = {
          ...{ ...input, id: ids.uuid(), rules, is_system: false, campaign_id: null },
          ...{ user_count: 0, last_evaluated_at: null, created_at: clock.now() },
        }
        yield* Effect.orDie(db.segments.insert(made))
        return made
      }),
      { locks: "hold" },
    )
    yield* evaluation.nudge(projectId, segment.id)
    return segment
  }),

  /** All segments but those of push-schedules: system segments first, then the oldest (spec: admin plane, segments). */
  list: (projectId: string, slice: Slice) =>
    tenants.read(projectId, (db) =>
      db.segments.page(
        { campaign_id: null },
        [
          ["is_system", "desc"],
          ["created_at", "asc"],
        ],
        slice,
      ),
    ),

  /** One segment, also that of a push-schedule (spec: admin plane, segments). `NOT_FOUND`. */
  get: (projectId: string, id: string) =>
    orFail(
      tenants.read(projectId, (db) => db.segments.find({ id })),
      NotFound,
    ),

  /**
   * Changes the fields that are given. New rules are evaluated in the background; until then `user_count` stays [E6]. `NOT_FOUND`;
   * `INVALID_RULES`; `SYSTEM_SEGMENT`.
   */
  update: Effect.fn("segments.update")(function* (projectId: string, id: string, changes: SegmentChanges) {
    const { rules, ...others } = changes
    const segment = yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* lockEditable(db, id)
        const changed = rules === undefined ? others : { ...others, rules: yield* readRules(rules) }
        return yield* orFail(Effect.orDie(db.segments.update(id, changed)), NotFound)
      }),
    )
    if (rules !== undefined) yield* evaluation.nudge(projectId, id)
    return segment
  }),

  /** Removes a segment with its memberships. Does nothing for an unknown segment (spec: admin plane, segments). `SYSTEM_SEGMENT`. */
  remove: Effect.fn("segments.remove")((projectId: string, id: string) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const segment = yield* db.segments.lock(id)
        if (Option.isSome(segment) && segment.value.is_system) return yield* new SystemSegment()
        yield* db.segments.remove({ id })
      }),
    ),
  ),

  /**
   * Starts an evaluation and does not wait for it (spec: admin plane, segments). `NOT_FOUND`, also for the segment of a push-schedule;
   * `EVALUATE_FAILED` without the queue.
   */
  evaluate: Effect.fn("segments.evaluate")(function* (projectId: string, id: string) {
    const { id: segment_id } = yield* orFail(
      tenants.read(projectId, (db) => db.segments.find({ id, campaign_id: null })),
      NotFound,
    )
    yield* Effect.catchTag(evaluation.start(projectId, id), "QueueUnavailable", () => Effect.fail(new EvaluateFailed()))
    return { status: "evaluating" as const, segment_id }
  }),

  /** The number of users that match rules at the moment, and some of them [E6]. `INVALID_RULES`. */
  preview: Effect.fn("segments.preview")(function* (projectId: string, given: unknown) {
    const rules = yield* Effect.fromResult(parseRules(given))
    if (mentionsStreaks(rules)) yield* evaluation.expireStreaks(projectId)
    return yield* tenants.read(projectId, (db) => db.segments.preview(rules, clock.now(), sampleSize))
  }),

  /**
   * Explains why a user is in a segment or not: each rule with the user's current value. `NOT_FOUND` without the segment or the user;
   * `INVALID_RULES` where the stored rules can no longer be read.
   */
  explain: Effect.fn("segments.explain")((projectId: string, id: string, userId: string) =>
    tenants.read(projectId, (db) => explainMembership(db, id, userId, clock.now())),
  ),
})
