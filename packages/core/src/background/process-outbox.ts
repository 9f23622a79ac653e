import { Cause, Clock, Effect, Exit } from "effect"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import { makeBatchNotes } from "./batch-notes.ts"
import { gatherAfter, maxBatch, maxBatchBytes, nextBatchSize } from "./batch-size.ts"
import type { FindFitting } from "./cut-batch.ts"
import type { BackgroundDb, OutboxContent, OutboxEvents, OutboxHead, OutboxLimits } from "./port.ts"
import type { HandleEntry, Prepare, React } from "./react.ts"
import { type FailedAttempt, faultIn, firstIn, type SetAside } from "./set-aside.ts"

// Where a test stops time, what waits is handled all the same.
const sleepInRealTime = (millis: number) =>
  Effect.provideService(Effect.sleep(millis), Clock.Clock, Clock.Clock.defaultValue())

/**
 * How handling an outbox has ended: with what waits by then, there may be more, a fault of ours makes the project wait, or another run
 * of this process gathers what comes.
 */
export type OutboxOutcome = Exclude<OutboxContent, "served"> | "more" | "paused" | "gathered"

/** What one try to handle a batch was about; `head` is null until it was read. */
interface Attempt {
  head: OutboxHead | null
  reaction: string
}

// One project with a long backlog must not keep the others waiting: after so many batches it gets in line again.
const batchesPerRun = 50
const runMillis = 2_000
// Nor must one that waits for its events.
const gatheredPerRun = 10

const firstPauseMillis = 1_000
const longestPauseMillis = 5 * 60_000

const countTaken = (head: OutboxHead): number =>
  head.kind === "entry" ? 1 : head.taken.reduce((sum, { count }) => sum + count, 0)

/** What handling outboxes is made of. */
export interface OutboxParts<Db extends BackgroundDb & EventsDb> {
  readonly prepare: Prepare<Db>
  readonly findFitting: FindFitting<Db>
  readonly react: React<Db>
  readonly handleEntry: HandleEntry<Db>
  readonly setAside: SetAside<Db>
  readonly limits: Omit<OutboxLimits, "events" | "bytes">
  /** Whether this process is about to end: then no further batch is begun. */
  readonly isStopping: () => boolean
}

/** Handles the outboxes of projects, batch by batch. A batch that fails is halved until what fails stands alone. */
export const makeProcessOutbox = <Db extends BackgroundDb & EventsDb>(
  { clock, signals, tenants }: Pick<Ports<Db>, "clock" | "signals" | "tenants">,
  { prepare, findFitting, react, handleEntry, setAside, limits, isStopping }: OutboxParts<Db>,
) => {
  const sizes = new Map<string, number>()
  // How many batches were handled since nothing waited.
  const inARow = new Map<string, number>()
  const gathering = new Set<string>()
  const pauses = new Map<string, { readonly until: number; readonly millis: number }>()

  const limitsFor = (events: number): OutboxLimits => ({ ...limits, events, bytes: maxBatchBytes })

  /** Handles the first of these events, as many as fit into memory with all that they need. Answers those. */
  const handleEvents = Effect.fnUntraced(function* (projectId: string, db: Db, found: OutboxEvents, attempt: Attempt) {
    const notes = makeBatchNotes()
    if (found.events.length > 1) yield* prepare(db, found.events, notes)
    const fitting = found.events.length > 1 ? yield* findFitting(db, found.events, notes) : 1
    const cut = fitting < found.events.length ? yield* db.outbox.next(limitsFor(fitting)) : found
    // Under the hold nobody else has taken them.
    const head = cut?.kind === "events" ? cut : found
    attempt.head = head
    if (head.events.length > 0) yield* react(projectId, db, head.events, attempt, notes)
    return head
  })

  const handleBatch = (projectId: string, size: number, attempt: Attempt) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        yield* db.outbox.hold()
        const found = yield* db.outbox.next(limitsFor(size))
        attempt.head = found
        if (found === null) return null
        let head: OutboxHead = found
        if (found.kind === "entry") yield* handleEntry(db, found.entry, attempt)
        else if (found.events.length > 0) head = yield* handleEvents(projectId, db, found, attempt)
        yield* db.outbox.remove(head)
        return { head, size: head === found ? size : countTaken(head) }
      }),
      // Which reaction has failed matters once an event stands alone. Many are written while their reactions go on.
      { locks: "hold", waits: size === 1 },
    )

  const noteHandled = (projectId: string, head: OutboxHead, millis: number, size: number) => {
    pauses.delete(projectId)
    const { created_at } = head.kind === "entry" ? head.entry : head
    if (head.kind === "events") sizes.set(projectId, nextBatchSize(size, millis))
    const events = head.kind === "events" ? head.events.length : 0
    const lag_seconds = Math.max(0, clock.now().getTime() - created_at.getTime()) / 1_000
    signals.emit({ name: "events_reacted", project_id: projectId, events, lag_seconds })
  }

  const pause = (projectId: string, reaction: string) => {
    const before = pauses.get(projectId)?.millis ?? firstPauseMillis / 2
    const millis = Math.min(longestPauseMillis, before * 2)
    pauses.set(projectId, { until: clock.now().getTime() + millis, millis })
    signals.emit({ name: "project_paused", project_id: projectId, reaction, seconds: millis / 1_000 })
  }

  /** Sets the one event or entry aside that was handled alone and failed, and tries it once more. Answers whether to go on. */
  const isolate = Effect.fnUntraced(function* (projectId: string, first: string, failed: FailedAttempt) {
    const letter = yield* setAside.setAside(projectId, first, limitsFor(1), failed)
    if (letter === "overwhelmed") {
      pause(projectId, failed.reaction)
      return false
    }
    if (letter !== null) yield* setAside.tryAlone(projectId, letter.id)
    return true
  })

  const gather = (projectId: string, millis: number) =>
    Effect.ensuring(
      Effect.andThen(
        Effect.sync(() => gathering.add(projectId)),
        sleepInRealTime(millis),
      ),
      Effect.sync(() => gathering.delete(projectId)),
    )

  const look = (projectId: string) => tenants.read(projectId, (db) => db.outbox.look(limits.topics))

  /**
   * One batch, where nobody else has handled it by now. Answers after how many milliseconds to go on; null where the project is
   * paused. What passes by itself fails the run, uncounted.
   */
  const step = Effect.fnUntraced(function* (projectId: string) {
    const size = sizes.get(projectId) ?? maxBatch
    const attempt: Attempt = { head: null, reaction: "" }
    const began = clock.now().getTime()
    const exit = yield* Effect.exit(handleBatch(projectId, size, attempt))
    if (Exit.isSuccess(exit)) {
      const handled = exit.value
      if (handled !== null) noteHandled(projectId, handled.head, clock.now().getTime() - began, handled.size)
      const batches = (inARow.get(projectId) ?? 0) + 1
      inARow.set(projectId, batches)
      return handled?.head.kind === "events" ? gatherAfter(batches, handled.head.events.length, handled.size) : 0
    }
    const { head, reaction } = attempt
    const { cause } = exit
    const isOthers = Cause.hasInterruptsOnly(cause) || faultIn(tenants, cause) === "passing"
    if (head === null || isOthers) return yield* Effect.failCause(cause)
    const first = firstIn(head)
    if (first !== null && (head.kind === "entry" || size === 1))
      return (yield* isolate(projectId, first, { reaction, cause })) ? 0 : null
    const count = head.kind === "events" ? head.events.length : 1
    sizes.set(projectId, Math.max(1, Math.floor(count / 2)))
    return 0
  })

  return {
    /** Until when a project waits, because too much of it failed; null where it does not. */
    pausedUntil: (projectId: string): Date | null => {
      const { until, millis } = pauses.get(projectId) ?? { until: 0, millis: 0 }
      const left = until - clock.now().getTime()
      // Longer than it was made: the clock was set back.
      return left > 0 && left <= millis ? new Date(until) : null
    },

    /** What waits in a project. */
    look,

    /** Handles what waits in a project, for a bounded time. Two at once do nothing twice. */
    process: Effect.fnUntraced(function* (projectId: string) {
      const endMillis = clock.now().getTime() + runMillis
      let gathered = 0
      for (let batches = 0; batches < batchesPerRun && clock.now().getTime() < endMillis; batches += 1) {
        if (isStopping()) return "more" satisfies OutboxOutcome
        if (gathering.has(projectId)) return "gathered" satisfies OutboxOutcome
        const content = yield* look(projectId)
        if (content !== "served") {
          sizes.delete(projectId)
          inARow.delete(projectId)
          return content satisfies OutboxOutcome
        }
        const waitMillis = yield* step(projectId)
        if (waitMillis === null) return "paused" satisfies OutboxOutcome
        if (waitMillis === 0) continue
        if (gathered === gatheredPerRun) return "more" satisfies OutboxOutcome
        gathered += 1
        yield* gather(projectId, waitMillis)
      }
      return "more" satisfies OutboxOutcome
    }),
  }
}
