import { Cause, Effect, Exit, Option } from "effect"
import type { Access } from "../access/access.ts"
import { limitLookups } from "../access/limit-lookups.ts"
import { makeBatchNotes } from "../background/batch-notes.ts"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { NewEvent, WritingPlane } from "../events/event.ts"
import { InvalidEvent } from "../events/failures.ts"
import { type EventAuthor, parseEvents, refuseUsers } from "../events/parse-events.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken, TenantBusy, type TenantFailure } from "../failure.ts"
import type { Limits } from "../limits/limits.ts"
import type { Ports } from "../ports/ports.ts"
import { isObject } from "../schema.ts"
import { together } from "../together.ts"
import { type Asking, makeAwaitEffects, mostMillis } from "./await-effects.ts"
import { askedNote, effectsNote } from "./collect-effects.ts"
import type { EventEffects, RecordedEffects } from "./effects.ts"
import type { EventEffectsDb } from "./port.ts"

// Whoever waits here leaves most connections of the project to its other calls.
const statementsAtOnce = 4
// What many calls bring is sooner done by the background, together.
const mostHandling = 2
// A batch is handled in some milliseconds mostly, and waiting for the background takes longer: it is told of new events four
// times a second.
const mostHoldTries = 3
const holdPauseMillis = 10

// What events lead to. It may be handled after the next event of the same user.
const caused = ["xp_awarded", "achievement_unlocked", "level_reached"]

type EffectsDb = BackgroundDb & EventEffectsDb & EventsDb

/** What became of an event: a user who is not there, an `event_id` that exists, or written, with effects where it was handled. */
type Written =
  | { readonly kind: "unknown user" }
  | { readonly kind: "repeated" }
  | { readonly kind: "written"; readonly effects: EventEffects | null }

/** Why an event is not handled by its own call: somebody else handles events, or earlier ones of its user wait. */
type NotNow = { readonly kind: "held" } | { readonly kind: "late" }

/** One event whose effects are asked for. */
interface Asked extends Asking {
  readonly event: NewEvent
  readonly plane: WritingPlane
}

/** Records single events and answers what they did [G9.1]. */
export const makeRecordEffects = <Db extends EffectsDb>(
  ports: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "markPending" | "nudge" | "prepare" | "react">,
  limits: Pick<Limits, "userEvents">,
  access: Pick<Access, "eventRules">,
) => {
  const { clock, tenants } = ports
  const inLine = limitLookups(statementsAtOnce)
  const handling = new Map<string, number>()
  /** Runs work in the project's database when it is its turn, unless it is too late then. */
  const inTurn = <A, E>({ projectId, until }: Asking, work: Effect.Effect<A, E>): Effect.Effect<A, E | TenantBusy> =>
    inLine(
      projectId,
      Effect.suspend((): Effect.Effect<A, E | TenantBusy> => {
        return clock.now().getTime() <= until ? work : Effect.fail(new TenantBusy())
      }),
    )
  const wait = makeAwaitEffects(ports, inTurn)

  /**
   * Writes the event and handles it, in one transaction. Nothing is written where somebody else handles events now, and where
   * earlier events of the user wait: they come first.
   */
  const handleNow = (asked: Asked) => {
    const work = tenants.transact(
      asked.projectId,
      Effect.fnUntraced(function* (db: Db): Effect.fn.Return<Written | NotNow> {
        // In this order: what is seen under the hold is what nobody has handled.
        const { external_id: _, ...event } = asked.event
        const notes = makeBatchNotes()
        notes.add(askedNote, [event.id])
        const [isHeld, isLate, twin] = yield* together([
          db.outbox.tryHold(),
          db.outbox.hasEventsOf(event.app_user_id, caused),
          db.eventEffects.findTwin(asked.event, asked.plane),
          background.prepare(db, [event], notes),
        ])
        if (!isHeld) return { kind: "held" }
        if (Option.isSome(twin)) return { kind: "repeated" }
        if (isLate) return { kind: "late" }
        // One that somebody has written since, or whose user is not there, is rolled back, and told by `enqueue`.
        yield* db.events.insertNew(asked.event, asked.plane)
        yield* background.react(asked.projectId, db, [event], { reaction: "" }, notes)
        return { kind: "written", effects: notes.read(effectsNote)[0]?.effects ?? null }
      }),
    )
    return inTurn(asked, work)
  }

  /** Writes the event for the background. */
  const enqueue = (asked: Asked) => {
    const { projectId, event, plane } = asked
    const work = tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db): Effect.fn.Return<Written> {
        const written = yield* db.events.insert([event], { enqueue: true, plane })
        if ("unknown_users" in written) return { kind: "unknown user" }
        if (written.inserted.length === 0) return { kind: "repeated" }
        yield* db.eventEffects.ask(event.id, clock.now())
        return { kind: "written", effects: null }
      }),
    )
    return inTurn(asked, work)
  }

  /** Tries to handle the event a few times while somebody else handles others. No connection is held between two tries. */
  const tryHandling = Effect.fnUntraced(function* (asked: Asked) {
    for (let tries = 1; ; tries += 1) {
      const done = yield* handleNow(asked)
      if (done.kind !== "held" || tries === mostHoldTries) return done
      yield* Effect.sleep(holdPauseMillis)
    }
  })

  const countHandling = (projectId: string, change: number) => {
    const left = (handling.get(projectId) ?? 0) + change
    if (left === 0) handling.delete(projectId)
    else handling.set(projectId, left)
  }

  /** Handles the event, unless other calls are about to handle theirs. */
  const handleSoon = (asked: Asked) =>
    Effect.suspend((): Effect.Effect<Written | NotNow, TenantFailure> => {
      const { projectId } = asked
      if ((handling.get(projectId) ?? 0) >= mostHandling) return Effect.succeed({ kind: "held" })
      countHandling(projectId, 1)
      return Effect.ensuring(
        tryHandling(asked),
        Effect.sync(() => countHandling(projectId, -1)),
      )
    })

  /**
   * Writes the event, and handles it at once where that can be. What goes wrong in handling is left to the background, which
   * sets aside what cannot be handled: the event itself is not to be refused for it.
   */
  const write = Effect.fnUntraced(function* (asked: Asked) {
    const attempt = yield* Effect.exit(handleSoon(asked))
    if (Exit.isSuccess(attempt)) {
      const { kind } = attempt.value
      return kind === "held" || kind === "late" ? yield* enqueue(asked) : attempt.value
    }
    const failure = Option.getOrNull(Cause.findErrorOption(attempt.cause))
    const isLeft = failure === null ? !Cause.hasInterrupts(attempt.cause) : failure._tag === "TenantBusy"
    return isLeft ? yield* enqueue(asked) : yield* Effect.failCause(attempt.cause)
  })

  const record = Effect.fnUntraced(function* <E>(asked: Asked, unknownUser: () => E) {
    const { projectId, event, plane } = asked
    yield* background.markPending(projectId)
    const written = yield* write(asked)
    if (written.kind === "unknown user") return yield* Effect.fail(unknownUser())
    if (written.kind === "repeated") {
      const twin = yield* tenants.read(projectId, (db) => db.eventEffects.findTwin(event, plane))
      const effects = Option.isNone(twin) ? null : yield* wait(asked, twin.value)
      return { inserted: 0, skipped: 1, tracked: 0, effects, replayed: true } satisfies RecordedEffects
    }
    yield* background.nudge(projectId)
    const effects = written.effects ?? (yield* wait(asked, event.id))
    return { inserted: 1, skipped: 0, tracked: 1, effects } satisfies RecordedEffects
  })

  const findEnd = () => clock.now().getTime() + mostMillis

  const parse = (body: unknown, author: EventAuthor) =>
    Effect.gen(function* () {
      if (isObject(body) && "events" in body)
        return yield* new InvalidEvent(undefined, "effects=true takes one event, not a list of events.")
      const [event] = yield* Effect.fromResult(parseEvents(ports, body, author, 1))
      return event ?? (yield* new InvalidEvent())
    })

  return {
    /**
     * Writes one event of any user, waits until it was handled, at most 5 seconds, and answers what it did. Where earlier events of
     * the user are pending the background handles them first; in a test world, `advance` beside the call. Fails as `record` does:
     * `INVALID_JSON`; `INVALID_EVENT`; `INVALID_APP_USER_ID`; `INVALID_EVENT_NAME`; `INVALID_OCCURRED_AT`; `INVALID_EVENT_ID`;
     * `BATCH_TOO_LARGE` for more than one event.
     */
    recordWithEffects: Effect.fn("events.recordWithEffects")(function* (projectId: string, body: unknown) {
      const event = yield* parse(body, "named")
      return yield* record({ projectId, event, plane: "admin", until: findEnd() }, () => refuseUsers(body, [0]))
    }),

    /**
     * Writes one event of the session's user in the same way, by the rules for apps. Fails as `recordOwn` does: `INVALID_JSON`;
     * `INVALID_EVENT`; `INVALID_APP_USER_ID`; `INVALID_EVENT_NAME`; `INVALID_OCCURRED_AT`; `INVALID_EVENT_ID`; `BATCH_TOO_LARGE`;
     * `RATE_LIMIT_EXCEEDED`; `INVALID_TOKEN`.
     */
    recordOwnWithEffects: Effect.fn("events.recordOwnWithEffects")(function* (
      projectId: string,
      userId: string,
      body: unknown,
    ) {
      const event = yield* parse(body, { user_id: userId, rules: yield* access.eventRules(projectId) })
      yield* limits.userEvents(projectId, userId, 1)
      return yield* record({ projectId, event, plane: "client", until: findEnd() }, () => new InvalidToken())
    }),
  }
}
