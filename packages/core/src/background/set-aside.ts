import { Cause, Effect, Exit, Option } from "effect"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { FaultKind, Tenants } from "../ports/tenants.ts"
import { type DeadLetter, errorText, isToTry, lookAfterLastTry, nextTryAfter } from "./dead-letter.ts"
import type { BackgroundDb, OutboxHead, OutboxLimits } from "./port.ts"
import type { HandleEntry, React, ReactionProgress } from "./react.ts"
import type { SetAsideHandler } from "./work.ts"

/** What one failed attempt was about. */
export interface FailedAttempt {
  readonly reaction: string
  readonly cause: Cause.Cause<unknown>
}

// More than this many for one reaction within ten minutes are a fault of ours, not of the events.
const mostSetAside = 100
const windowMillis = 10 * 60_000

/** The defect of a cause, or whatever else it has. */
export const reasonIn = (cause: Cause.Cause<unknown>): unknown =>
  cause.reasons.find(Cause.isDieReason)?.defect ??
  Option.getOrElse(Cause.findErrorOption(cause), () => Cause.pretty(cause))

/** The first event or entry of a head: its id, as it is told apart from others. */
export const firstIn = (head: OutboxHead): string | null =>
  head.kind === "entry" ? head.entry.id : (head.events[0]?.id ?? null)

/**
 * What sort of failure ended an attempt: the fault of what was handled, a statement that took too long, or something that has
 * nothing to do with it and passes.
 */
export const faultIn = (tenants: Pick<Tenants<never>, "faultOf">, cause: Cause.Cause<unknown>): FaultKind =>
  cause.reasons.every(Cause.isDieReason) ? tenants.faultOf(reasonIn(cause)) : "passing"

/** How what cannot be handled is set aside, alone, and tried again. */
export const makeSetAside = <Db extends BackgroundDb & EventsDb>(
  { clock, ids, signals, tenants }: Pick<Ports<Db>, "clock" | "ids" | "signals" | "tenants">,
  react: React<Db>,
  handleEntry: HandleEntry<Db>,
  whenSetAside: ReadonlyMap<string, SetAsideHandler<Db>>,
) => {
  // Tries that did not count, although that could not be written down: the next one takes their place.
  const uncounted = new Set<string>()

  const letterOf = (head: OutboxHead, { reaction, cause }: FailedAttempt): DeadLetter => {
    const now = clock.now()
    const [event] = head.kind === "events" ? head.events : []
    const entry = head.kind === "entry" ? head.entry : null
    return {
      id: ids.uuid(),
      event_id: event?.id ?? null,
      app_user_id: event?.app_user_id ?? null,
      topic: entry?.topic ?? null,
      payload: entry?.payload ?? null,
      reaction,
      error: errorText(reasonIn(cause)),
      status: "retrying",
      tries: 0,
      first_failed_at: now,
      next_try_at: now,
    }
  }

  /**
   * Moves the first event or entry of the outbox aside, in a transaction of its own. Answers the letter; null where somebody
   * else has handled it meanwhile, "overwhelmed" where too many have been set aside for the same reaction.
   */
  const setAside = (projectId: string, first: string, limits: OutboxLimits, failed: FailedAttempt) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        yield* db.outbox.hold()
        const head = yield* db.outbox.next({ ...limits, events: 1 })
        if (head === null || firstIn(head) !== first) return null
        const since = new Date(clock.now().getTime() - windowMillis)
        if ((yield* db.deadLetters.countSince(failed.reaction, since)) >= mostSetAside) return "overwhelmed" as const
        const letter = letterOf(head, failed)
        yield* db.deadLetters.insert(letter)
        yield* db.outbox.remove(head)
        if (letter.topic !== null) yield* whenSetAside.get(letter.topic)?.(db, letter.payload ?? {}) ?? Effect.void
        return letter
      }),
      { locks: "hold" },
    )

  const signalSetAside = (project_id: string, { reaction, status }: DeadLetter) =>
    Effect.sync(() => signals.emit({ name: "event_set_aside", project_id, reaction, status }))

  /**
   * Notes that a try begins, before it begins: one that ends this process has counted. Answers the letter as it is where the try fails; null
   * where none is due any more, or somebody has asked for it just now. With `isSpent` it is dead, because the last one has ended a process.
   */
  const beginTry = (projectId: string, id: string) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db: Db) {
        yield* db.outbox.hold()
        const found = Option.getOrNull(yield* db.deadLetters.find(id))
        const now = clock.now()
        if (found === null || found.next_try_at === null || !isToTry(found.next_try_at, now)) return null
        // Where somebody has asked for it, its tries begin anew.
        const isCounted = found.tries === 0 || !uncounted.has(id)
        if (isCounted && found.tries > 0 && nextTryAfter(found.tries, now) === null) {
          const spent: DeadLetter = { ...found, next_try_at: null, status: "dead" }
          return (yield* db.deadLetters.save(spent, found.tries)) ? { ...spent, isSpent: true } : null
        }
        const tries = found.tries + (isCounted ? 1 : 0)
        const next_try_at = nextTryAfter(tries, now)
        // Not dead before the last try has failed: what passes by itself may keep it from being made.
        const started: DeadLetter = {
          ...found,
          ...{ tries, next_try_at: next_try_at ?? lookAfterLastTry(now), status: "retrying" },
        }
        if (!(yield* db.deadLetters.save(started, found.tries))) return null
        const begun: DeadLetter = { ...found, tries, next_try_at, status: next_try_at === null ? "dead" : "retrying" }
        return { ...begun, isSpent: false }
      }),
      { locks: "hold" },
    )

  const handle = (projectId: string, db: Db, letter: DeadLetter, progress: ReactionProgress) =>
    Effect.gen(function* () {
      yield* db.outbox.hold()
      // Somebody may have removed it since.
      if (!(yield* db.deadLetters.remove(letter.id))) return
      if (letter.event_id !== null) {
        const events = yield* db.events.listByIds([letter.event_id], { properties: true })
        return yield* react(projectId, db, events, progress)
      }
      yield* handleEntry(db, { topic: letter.topic ?? "", payload: letter.payload ?? {} }, progress)
    })

  const noteFailure = (projectId: string, begun: DeadLetter, { reaction, cause }: FailedAttempt) => {
    const failed = { ...begun, reaction, error: errorText(reasonIn(cause)) }
    return Effect.andThen(
      signalSetAside(projectId, failed),
      tenants.transact(projectId, (db) => db.deadLetters.save(failed, begun.tries)),
    )
  }

  /** Takes back that a try was counted. The last one is written down where it can be: another process would take the letter for dead. */
  const uncount = (projectId: string, begun: DeadLetter) => {
    const remember = Effect.sync(() => void uncounted.add(begun.id))
    if (begun.status === "retrying") return remember
    const next_try_at = lookAfterLastTry(clock.now())
    const before: DeadLetter = { ...begun, tries: begun.tries - 1, status: "retrying", next_try_at }
    return Effect.catchCause(
      tenants.transact(projectId, (db) => db.deadLetters.save(before, begun.tries)),
      () => remember,
    )
  }

  /** Handles what a letter is about, alone. It fails only for what has nothing to do with the letter. */
  const tryAlone = Effect.fnUntraced(function* (projectId: string, id: string) {
    const begin = yield* beginTry(projectId, id)
    if (begin === null) return
    const { isSpent, ...begun } = begin
    if (isSpent) return yield* signalSetAside(projectId, begun)
    uncounted.delete(id)
    const progress: ReactionProgress = { reaction: begun.reaction }
    const exit = yield* Effect.exit(
      // Each write is waited for, so that it is known which reaction has failed.
      tenants.transact(projectId, (db) => handle(projectId, db, begun, progress), { locks: "hold", waits: true }),
    )
    if (Exit.isSuccess(exit)) return
    if (Cause.hasInterruptsOnly(exit.cause) || faultIn(tenants, exit.cause) === "passing") {
      yield* uncount(projectId, begun)
      return yield* Effect.failCause(exit.cause)
    }
    yield* noteFailure(projectId, begun, { reaction: progress.reaction, cause: exit.cause })
  })

  return { setAside, tryAlone }
}

/** How what cannot be handled is set aside. */
export type SetAside<Db extends BackgroundDb & EventsDb> = ReturnType<typeof makeSetAside<Db>>
