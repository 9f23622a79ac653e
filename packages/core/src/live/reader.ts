import { Effect } from "effect"
import type { TenantFailure } from "../failure.ts"
import type { Clock } from "../ports/clock.ts"
import type { News } from "../ports/news.ts"
import { type LiveCursor, leastId, makeCursor } from "./cursor.ts"
import type { NewRows, Taken } from "./port.ts"
import { isAhead } from "./snapshot.ts"
import { closeBatch, type LiveEvent, makeEvent } from "./stream.ts"

/** Somebody who listens, as a reader knows them. */
export interface Listener {
  /** The user whose stream it is; empty for developers. */
  readonly userId: string
  /** From where it reads on; null where it begins, and `lost` where that cannot be said. */
  readonly start: LiveCursor | "lost" | null
  /** Takes what is new. The cursor is how far it is by then. */
  take(events: ReadonlyArray<LiveEvent>, cursor: LiveCursor): void
}

/** Who listens, with the cursor from which each reads on. */
export type Resumed = ReadonlyArray<{ readonly listener: Listener; readonly from: LiveCursor }>

/** What a reader reads: the news of a project for its users, or those that fit a filter for developers. */
export interface Source<Found extends Taken> {
  readonly projectId: string
  /** How long it waits after a wake-up for more, and so the least time between two reads. */
  readonly gapMillis: number
  readonly take: () => Effect.Effect<Taken, TenantFailure>
  readonly read: (rows: NewRows, listeners: ReadonlyArray<Listener>) => Effect.Effect<Found, TenantFailure>
  /** What a listener gets of it; null where there was too much. */
  readonly eventsFor: (found: Found, listener: Listener) => ReadonlyArray<LiveEvent> | null
  /** What those get who read on from an earlier cursor, up to the present one; null where it was too much. */
  readonly catchUp: (
    resumed: Resumed,
    upto: LiveCursor,
  ) => Effect.Effect<ReadonlyMap<Listener, ReadonlyArray<LiveEvent> | null>, TenantFailure>
}

// A notification may be lost, and what is written by one statement alone is told by none.
const pollMillis = 5_000
// A database that cannot be read may be gone for longer.
const retryMillis = 2_000

/** The rows that are new since a cursor. */
export const rowsSince = (cursor: LiveCursor, upto: LiveCursor | null): NewRows => ({
  after: cursor.snapshot,
  upto: upto?.snapshot ?? null,
  from_id: leastId(cursor.from),
})

/** One reader for all who listen to the same: it reads once for all of them, and only while there are some. */
export const makeReader = <Found extends Taken>(
  source: Source<Found>,
  { clock, news }: { readonly clock: Clock; readonly news: News },
  onIdle: () => void,
) => {
  const listeners = new Set<Listener>()
  let joining: Array<Listener> = []
  let cursor: LiveCursor | null = null
  let wakeUp: (() => void) | null = null
  let hasNews = false
  const wake = () => {
    hasNews = true
    wakeUp?.()
  }

  const gone = new WeakSet<Listener>()

  const admit = Effect.fnUntraced(function* (present: LiveCursor) {
    // Who comes or leaves while others are told what they have missed changes `joining`, and not this list.
    const joined = [...joining]
    const isLost = ({ start }: Listener) =>
      // One of another database, as after a restore, says nothing here.
      start === "lost" || (start !== null && isAhead(start.snapshot, present.snapshot))
    const resumed = joined.flatMap((listener) => {
      const { start } = listener
      return start === null || start === "lost" || isLost(listener) ? [] : [{ listener, from: start }]
    })
    const none: ReadonlyMap<Listener, ReadonlyArray<LiveEvent> | null> = new Map()
    const missed = resumed.length === 0 ? none : yield* source.catchUp(resumed, present)
    for (const listener of joined) {
      const events = missed.get(listener)
      const name = isLost(listener) || events === null ? "reset" : "open"
      listener.take(closeBatch([makeEvent(name, {}), ...(events ?? [])], present), present)
      if (!gone.has(listener)) listeners.add(listener)
    }
    const told = new Set(joined)
    joining = joining.filter((listener) => !told.has(listener))
  })

  const step = Effect.gen(function* () {
    hasNews = false
    if (cursor === null || listeners.size === 0) {
      const { snapshot, running_millis } = yield* source.take()
      cursor = makeCursor(snapshot, running_millis, clock.now())
    } else {
      const found: Found = yield* source.read(rowsSince(cursor, null), [...listeners])
      const present: LiveCursor = makeCursor(found.snapshot, found.running_millis, clock.now())
      for (const listener of listeners) {
        const events = source.eventsFor(found, listener)
        listener.take(closeBatch(events ?? [makeEvent("reset", {})], present), present)
      }
      cursor = present
    }
    if (joining.length > 0) yield* admit(cursor)
  })

  const pause = (millis: number) =>
    Effect.suspend(() =>
      hasNews || joining.length > 0
        ? Effect.void
        : Effect.callback<void>((resume) => {
            wakeUp = () => resume(Effect.void)
          }).pipe(
            Effect.timeoutOption(millis),
            Effect.andThen(
              Effect.sync(() => {
                wakeUp = null
              }),
            ),
          ),
    )
  const isNeeded = () => listeners.size + joining.length > 0

  const run = Effect.gen(function* () {
    while (isNeeded()) {
      const hasRead = yield* Effect.catchCause(Effect.as(step, true), () => Effect.succeed(false))
      if (!hasRead) yield* Effect.sleep(retryMillis)
      else {
        yield* pause(pollMillis)
        if (joining.length === 0) yield* Effect.sleep(source.gapMillis)
      }
    }
  })

  let isRunning = false
  let unwatch = () => {}
  const start: Effect.Effect<void> = Effect.suspend(() => {
    if (isRunning) return Effect.void
    isRunning = true
    unwatch = news.watch(source.projectId, wake)
    const stop = Effect.suspend(() => {
      isRunning = false
      cursor = null
      unwatch()
      // Somebody may have come at the last moment.
      if (isNeeded()) return start
      onIdle()
      return Effect.void
    })
    return Effect.asVoid(Effect.forkDetach(Effect.ensuring(run, stop)))
  })

  return {
    /** Lets somebody listen, from the next read on. */
    join: (listener: Listener) =>
      Effect.suspend(() => {
        joining.push(listener)
        wakeUp?.()
        return start
      }),
    leave: (listener: Listener) => {
      gone.add(listener)
      listeners.delete(listener)
      joining = joining.filter((each) => each !== listener)
      if (!isNeeded()) wake()
    },
  }
}

/** One reader for all who listen to the same. */
export type Reader = Pick<ReturnType<typeof makeReader>, "join" | "leave">
