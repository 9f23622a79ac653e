import { Cause, Effect, Exit, Option } from "effect"
import type { Access } from "../access/access.ts"
import { makeBatchNotes } from "../background/batch-notes.ts"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { NewEvent, WritingPlane } from "../events/event.ts"
import { InvalidEvent } from "../events/failures.ts"
import { type EventAuthor, parseEvents, refuseUsers } from "../events/parse-events.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken } from "../failure.ts"
import type { Limits } from "../limits/limits.ts"
import type { Ports } from "../ports/ports.ts"
import { isObject } from "../schema.ts"
import { together } from "../together.ts"
import { askedNote, effectsNote } from "./collect-effects.ts"
import type { EventEffects, RecordedEffects } from "./effects.ts"
import type { EventEffectsDb } from "./port.ts"

/** How long effects are kept [G9.1]. */
export const keptMillis = 24 * 3_600_000
const mostMillis = 5_000
/** The most calls of a process that wait for the background at once [G9.1]. */
export const mostWaiting = 200
// A batch is handled in some milliseconds mostly, and waiting for the background takes longer: it is told of new events four
// times a second.
const mostHoldTries = 3
const holdPauseMillis = 10
// The first look at the background's work, then ever longer.
const firstPauseMillis = 20
const longestPauseMillis = 250

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
interface Asked {
  readonly projectId: string
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
  let waiting = 0

  /**
   * Writes the event and handles it, in one transaction. Nothing is written where somebody else handles events now, and where
   * earlier events of the user wait: they come first.
   */
  const handleNow = (asked: Asked) =>
    tenants.transact(
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

  /** Writes the event for the background. */
  const enqueue = ({ projectId, event, plane }: Asked) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db): Effect.fn.Return<Written> {
        const written = yield* db.events.insert([event], { enqueue: true, plane })
        if ("unknown_users" in written) return { kind: "unknown user" }
        if (written.inserted.length === 0) return { kind: "repeated" }
        yield* db.eventEffects.ask(event.id, clock.now())
        return { kind: "written", effects: null }
      }),
    )

  /** Tries to handle the event a few times while somebody else handles others. No connection is held between two tries. */
  const handleSoon = Effect.fnUntraced(function* (asked: Asked) {
    for (let tries = 1; ; tries += 1) {
      const done = yield* handleNow(asked)
      if (done.kind !== "held" || tries === mostHoldTries) return done
      yield* Effect.sleep(holdPauseMillis)
    }
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

  /** What an event did; null when that is not known by `until`, or will not be. No connection is held between two looks. */
  const look = Effect.fnUntraced(function* (projectId: string, eventId: string, until: number) {
    for (let pause = firstPauseMillis; ; pause = Math.min(longestPauseMillis, pause * 1.5)) {
      const found = Option.getOrNull(yield* tenants.read(projectId, (db) => db.eventEffects.find(eventId)))
      const now = clock.now().getTime()
      if (found === null || found.is_set_aside || found.asked_at.getTime() <= now - keptMillis) return null
      if (found.effects !== null) return found.effects
      if (now >= until) return null
      yield* Effect.sleep(Math.min(pause, Math.max(1, until - now)))
    }
  })

  const wait = (projectId: string, eventId: string, until: number) =>
    Effect.suspend(() => {
      // Beyond the bound only what is known already is answered.
      if (waiting >= mostWaiting) return look(projectId, eventId, 0)
      waiting += 1
      return Effect.ensuring(
        look(projectId, eventId, until),
        Effect.sync(() => {
          waiting -= 1
        }),
      )
    })

  const record = Effect.fnUntraced(function* <E>(asked: Asked, unknownUser: () => E) {
    const { projectId, event, plane } = asked
    const until = clock.now().getTime() + mostMillis
    yield* background.markPending(projectId)
    const written = yield* write(asked)
    if (written.kind === "unknown user") return yield* Effect.fail(unknownUser())
    if (written.kind === "repeated") {
      const twin = yield* tenants.read(projectId, (db) => db.eventEffects.findTwin(event, plane))
      const effects = Option.isNone(twin) ? null : yield* wait(projectId, twin.value, until)
      return { inserted: 0, skipped: 1, tracked: 0, effects, replayed: true } satisfies RecordedEffects
    }
    yield* background.nudge(projectId)
    const effects = written.effects ?? (yield* wait(projectId, event.id, until))
    return { inserted: 1, skipped: 0, tracked: 1, effects } satisfies RecordedEffects
  })

  const parse = (body: unknown, author: EventAuthor) =>
    Effect.gen(function* () {
      if (isObject(body) && "events" in body)
        return yield* new InvalidEvent(undefined, "effects=true takes one event, not a list of events.")
      const [event] = yield* Effect.fromResult(parseEvents(ports, body, author, 1))
      return event ?? (yield* new InvalidEvent())
    })

  return {
    /**
     * Writes one event of any user, waits until it was handled, at most 5 seconds, and answers what it did. Fails as `record` does:
     * `INVALID_JSON`; `INVALID_EVENT`; `INVALID_APP_USER_ID`; `INVALID_EVENT_NAME`; `INVALID_OCCURRED_AT`; `INVALID_EVENT_ID`;
     * `BATCH_TOO_LARGE` for more than one event.
     */
    recordWithEffects: Effect.fn("events.recordWithEffects")(function* (projectId: string, body: unknown) {
      const event = yield* parse(body, "named")
      return yield* record({ projectId, event, plane: "admin" }, () => refuseUsers(body, [0]))
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
      return yield* record({ projectId, event, plane: "client" }, () => new InvalidToken())
    }),
  }
}
