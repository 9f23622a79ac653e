import { Effect, Option, Result, Schema } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { Turns } from "../background/turns.ts"
import type { ProjectJob, ProjectTask } from "../background/work.ts"
import type { LeaderboardsDb } from "../leaderboards/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Workflow } from "../ports/workflow-runner.ts"
import { Uuid } from "../schema.ts"
import type { StreaksDb } from "../streaks/port.ts"
import { isOfTheFuture } from "../time/future.ts"
import type { UsersDb } from "../users/port.ts"
import { parseRules } from "./parse-rules.ts"
import type { SegmentsDb } from "./port.ts"
import { mentionsStreaks } from "./rules.ts"
import type { Segment } from "./segment.ts"

// Spec: segments are evaluated every 15 minutes.
const everyMillis = 15 * 60_000
// A segment that somebody else evaluates is looked at again after so long: at a request, where the database may be busy too, and at a
// regular run.
const busyMillis = 5_000
// One whose project has to wait for its turn asks again after this.
const againMillis = 200
// So long the segments of one project are evaluated in one run. What is left is due at once, after those of others.
const runMillis = 60_000
const busyRunMillis = 60_000
// Rules that change during an evaluation are evaluated at once, unless somebody never stops to change them.
const mostTries = 3
// Segments that are nearly due are evaluated with the rest, so that a project needs fewer runs.
const slackMillis = 60_000
// For so long it is remembered that an evaluation failed: longer than it is until the next try, which then comes after those of others.
const failureMillis = 60 * 60_000

const EvaluateSegment = Schema.Struct({
  project_id: Uuid,
  segment_id: Uuid,
  /** Whether the database was too busy for it before. */
  was_refused: Schema.optionalKey(Schema.Boolean),
})

const isDue = (last: Date | null, now: Date): boolean =>
  last === null || isOfTheFuture(last, now) || now.getTime() - last.getTime() >= everyMillis - slackMillis

/** The outcome of an evaluation: when the segment was last evaluated, or why it was not. */
type Outcome = { readonly at: Date } | "gone" | "unreadable" | "busy" | "changed" | "streaks not expired"

/** What an evaluation uses of a project's database: what rules read about users, and streaks, which it expires first. */
type EvaluationDb = BackgroundDb & LeaderboardsDb & SegmentsDb & StreaksDb & UsersDb

type EvaluationPorts = Pick<Ports<EvaluationDb>, "clock" | "signals" | "tenants" | "workflows">

/** The evaluation of one segment. */
const makeEvaluateOne = ({ clock, signals, tenants }: EvaluationPorts, streakExpiry: ProjectTask<EvaluationDb>) => {
  const expireStreaks = Effect.fn("segments.expireStreaks")(function* (projectId: string) {
    const expireNext = (db: EvaluationDb) => Effect.andThen(db.outbox.hold(), streakExpiry.runNext(db))
    while (yield* tenants.transact(projectId, expireNext, { locks: "hold" })) {}
  })

  const evaluateAlone = Effect.fnUntraced(function* (
    db: SegmentsDb,
    id: string,
    onlyIfDue: boolean,
    streaksAreExpired: boolean,
  ): Effect.fn.Return<Outcome> {
    if (!(yield* db.segments.lockEvaluation(id))) return "busy"
    const found = yield* db.segments.find({ id })
    if (Option.isNone(found) || found.value.campaign_id !== null) return "gone"
    const now = clock.now()
    const { last_evaluated_at } = found.value
    // A concurrent run may have evaluated it since the segments were listed.
    if (onlyIfDue && last_evaluated_at !== null && !isDue(last_evaluated_at, now)) return { at: last_evaluated_at }
    const rules = parseRules(found.value.rules)
    if (Result.isFailure(rules)) return "unreadable"
    if (mentionsStreaks(rules.success) && !streaksAreExpired) return "streaks not expired"
    const count = yield* db.segments.evaluate(found.value, rules.success, now)
    return count === null ? "changed" : { at: now }
  })

  const evaluateFully = Effect.fnUntraced(function* (project_id: string, segment_id: string, onlyIfDue: boolean) {
    const attempt = (expired: boolean) =>
      tenants.transact(project_id, (db) => evaluateAlone(db, segment_id, onlyIfDue, expired))
    let [outcome, expired, tries] = [yield* attempt(false), false, 1]
    while (outcome === "streaks not expired" || (outcome === "changed" && tries < mostTries)) {
      if (outcome === "changed") tries += 1
      else {
        // Stored counts are outdated until then [E2]. In its own transactions, because it holds the outbox, which reactions need.
        yield* expireStreaks(project_id)
        expired = true
      }
      outcome = yield* attempt(expired)
    }
    if (outcome === "unreadable")
      signals.emit({ name: "evaluation_failed", project_id, segment_id, reason: "INVALID_RULES" })
    return outcome === "changed" ? "busy" : outcome
  })

  const evaluateOne = (project_id: string, segment_id: string, onlyIfDue: boolean) =>
    Effect.map(evaluateFully(project_id, segment_id, onlyIfDue), (outcome) => {
      if (outcome === "busy") return outcome
      return typeof outcome === "string" ? null : outcome.at
    })

  return { expireStreaks, evaluateFully, evaluateOne }
}

/**
 * The segments whose regular evaluation has failed in this process. One that takes all of a run and fails would else be the first of the
 * next run again, and the others would wait for ever.
 */
const makeFailures = () => {
  const failedAt = new Map<string, Date>()
  return {
    note: (segmentId: string, at: Date) => void failedAt.set(segmentId, at),
    /** Forgets what is too old to matter, also of segments that are gone. */
    forgetOld: (now: Date) => {
      for (const [id, at] of failedAt) if (Math.abs(now.getTime() - at.getTime()) > failureMillis) failedAt.delete(id)
    },
    /** When a segment was evaluated last, or failed after that; null where neither is known. */
    lastTry: ({ id, last_evaluated_at: last }: Segment): Date | null => {
      const failed = failedAt.get(id) ?? null
      return last === null || (failed !== null && last < failed) ? failed : last
    },
  }
}

/**
 * Evaluates each segment every 15 minutes and on demand. The writes of one evaluation commit together. Two evaluations of
 * the same segment never run at the same time: the second is asked for again.
 */
export const makeEvaluation = (ports: EvaluationPorts, streakExpiry: ProjectTask<EvaluationDb>, turns: Turns) => {
  const { clock, signals, tenants, workflows } = ports
  const { expireStreaks, evaluateFully, evaluateOne } = makeEvaluateOne(ports, streakExpiry)

  const signalFailed = (project_id: string, segment_id: string, reason: unknown) =>
    signals.emit({ name: "evaluation_failed", project_id, segment_id, reason: String(reason).slice(0, 500) })

  const failures = makeFailures()
  const noteFailure = (segmentId: string) => Effect.sync(() => failures.note(segmentId, clock.now()))
  /** Evaluates a segment. What fails is not tried again at once, by a run or by the queue: it may take minutes each time. */
  const evaluateOnce = (projectId: string, segmentId: string, onlyIfDue: boolean) =>
    evaluateOne(projectId, segmentId, onlyIfDue).pipe(
      // A segment that cannot be evaluated must not block the others.
      Effect.catchDefect((defect) =>
        Effect.andThen(
          noteFailure(segmentId),
          Effect.sync(() => {
            signalFailed(projectId, segmentId, defect)
            return null
          }),
        ),
      ),
    )
  // A database that is full or busy may be so for this segment alone.
  const noteRefusal = <A, E extends { readonly _tag: string }>(segmentId: string, evaluating: Effect.Effect<A, E>) =>
    Effect.tapError(evaluating, ({ _tag }) => (_tag === "TenantBusy" ? noteFailure(segmentId) : Effect.void))
  /** Evaluates the segments that are due, for a bounded time: those first that were tried longest ago. Answers when the next one is due. */
  const evaluateDue = Effect.fnUntraced(function* (projectId: string) {
    const startedAt = clock.now()
    failures.forgetOld(startedAt)
    const segments = yield* tenants.read(projectId, (db) =>
      db.segments.list({ campaign_id: null }, [["created_at", "asc"]]),
    )
    let soonest = startedAt.getTime() + everyMillis
    const tried = segments.map((segment) => ({ segment, last: failures.lastTry(segment) }))
    // Those that never were come first.
    for (const { segment, last } of tried.toSorted((one, other) => Number(one.last) - Number(other.last))) {
      if (clock.now().getTime() >= startedAt.getTime() + runMillis && isDue(last, startedAt)) return clock.now()
      const at = isDue(last, startedAt)
        ? yield* noteRefusal(segment.id, evaluateOnce(projectId, segment.id, true))
        : last
      if (at === "busy") soonest = Math.min(soonest, clock.now().getTime() + busyRunMillis)
      else if (at !== null) soonest = Math.min(soonest, at.getTime() + everyMillis)
    }
    return new Date(soonest)
  })

  const evaluateSegment: Workflow<typeof EvaluateSegment.Type> = {
    name: "evaluate-segment",
    input: EvaluateSegment,
    run: ({ project_id, segment_id, was_refused = false }) => {
      const again = (at: Date, refused = was_refused) => start(project_id, segment_id, at, refused)
      // Once more, because most are busy for a moment; not more often, because it may take minutes each time.
      const evaluating = evaluateOnce(project_id, segment_id, false)
      const evaluated = was_refused
        ? noteRefusal(segment_id, evaluating)
        : Effect.catchTag(evaluating, "TenantBusy", () => Effect.succeed("refused" as const))
      return turns.take(project_id, evaluated, againMillis).pipe(
        Effect.flatMap((turn) => {
          // Where the queue cannot be asked the run dies, and is tried again.
          if ("again_at" in turn) return Effect.orDie(again(turn.again_at))
          if (turn.done !== "busy" && turn.done !== "refused") return Effect.void
          // What was written since the other evaluation began would be missing.
          return orSignal(project_id, again(new Date(clock.now().getTime() + busyMillis), turn.done === "refused"))
        }),
        Effect.catchTag(["TenantUnavailable", "TenantBusy", "ProjectNotFound"], ({ code }) =>
          Effect.sync(() => signalFailed(project_id, segment_id, code)),
        ),
      )
    },
  }

  const start = (project_id: string, segment_id: string, at?: Date, was_refused = false) =>
    workflows.start(
      evaluateSegment,
      `${project_id}/${segment_id}`,
      { project_id, segment_id, ...(was_refused ? { was_refused } : {}) },
      at === undefined ? {} : { at },
    )

  /** Signals a start that failed: the next regular run does it. */
  const orSignal = <E>(project_id: string, starting: Effect.Effect<void, E>) =>
    Effect.catchCause(starting, () => Effect.sync(() => signals.emit({ name: "evaluation_not_started", project_id })))

  return {
    /** The job that evaluates the due segments of a project. */
    evaluateSegments: { name: "segments.evaluate", run: evaluateDue } satisfies ProjectJob,
    /** The workflow that evaluates one segment now. Does nothing for a removed segment. */
    evaluateSegment,

    /** Has the queue evaluate one segment, not before `at` (now by default). `QUEUE_UNAVAILABLE` [E10]. */
    start,

    /**
     * Evaluates a segment now. `gone` and `unreadable` are segments that are not there or whose rules are none; of a `busy` one
     * somebody else's evaluation runs, which may miss what was written since it began.
     */
    evaluateNow: Effect.fn("segments.evaluateNow")(function* (projectId: string, segmentId: string) {
      const outcome = yield* evaluateFully(projectId, segmentId, false)
      if (outcome === "gone" || outcome === "unreadable" || outcome === "busy") return outcome
      return "evaluated"
    }),

    /** Starts an evaluation after a commit of rules. Never waits or fails: without the queue the next regular run does it. */
    nudge: (project_id: string, segmentId: string): Effect.Effect<void> =>
      Effect.asVoid(Effect.forkDetach(orSignal(project_id, start(project_id, segmentId)), { startImmediately: true })),

    /** Brings the stored counts of streaks up to date. Call it before rules are matched against them. */
    expireStreaks,
  }
}

/** Evaluates segments. */
export type Evaluation = ReturnType<typeof makeEvaluation>
