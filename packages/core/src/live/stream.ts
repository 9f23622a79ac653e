import type { Effect } from "effect"
import type { LiveCursor } from "./cursor.ts"
import { formatCursor } from "./cursor.ts"

/** An event of a stream. `data` is JSON. One with an `id` can be read on from; one without a name is a sign of life. */
export interface LiveEvent {
  readonly name: string | null
  readonly data: string
  readonly id: string | null
}

/**
 * Why a stream ends: its token has expired, its right was taken away, its reader is too slow, or the service stops. In all but the
 * second case the client goes on with a new call.
 */
export type EndReason = "token_expired" | "revoked" | "too_slow" | "stopping"

/** What somebody listens to. To be read by one reader. */
export interface LiveStream {
  /** What has come since the last call; waits until there is something. Null after the end. */
  next(): Promise<ReadonlyArray<LiveEvent> | null>
  /** Ends it at once. */
  close(): void
  /** Has the caller's right checked again whenever it may have changed. Once it is gone, or cannot be asked for, the stream ends. */
  guard(checkRight: Effect.Effect<unknown, unknown>): void
  /** Called when it ends, for the case that its reader does not even take the end. */
  onCut(cut: () => void): void
}

// Of what was not taken yet. More is held only where nothing waits before it: one batch.
const mostWaiting = 512 * 1024

/** How much is held for all readers of a process together: what waits, and what they were handed and have not finished. */
export interface HeldBytes {
  readonly most: number
  held: number
}

/** What waits to be taken by one reader, up to a bound, and up to one that it shares with the others. */
export const makeMailbox = (onClose: () => void, ofAll: HeldBytes = { most: Number.POSITIVE_INFINITY, held: 0 }) => {
  let waiting: Array<LiveEvent> = []
  let size = 0
  let handed = 0
  let state: "open" | "ending" | "closed" = "open"
  let taker: ((events: ReadonlyArray<LiveEvent> | null) => void) | null = null
  let cut = () => {}

  const hand = () => {
    if (taker === null || (waiting.length === 0 && state === "open")) return
    const take = taker
    taker = null
    take(waiting.length > 0 ? waiting : null)
    waiting = []
    handed = size
    size = 0
  }
  const giveUpWaiting = () => {
    waiting = []
    ofAll.held -= size
    size = 0
  }
  const finishHanded = () => {
    ofAll.held -= handed
    handed = 0
  }
  const end = (reason: EndReason) => {
    if (state !== "open") return
    state = "ending"
    // Where it waits for nobody, what was not taken is given up: the reader goes on from the last id that it has.
    if (reason === "too_slow" || reason === "revoked") giveUpWaiting()
    waiting.push({ name: "end", data: JSON.stringify({ reason }), id: null })
    onClose()
    hand()
    // It is none of those that are counted any more, so its connection may not stay for as long as its reader likes.
    cut()
  }
  return {
    isOpen: () => state === "open",
    /** Adds events; ends the stream where there is no room. */
    add: (events: ReadonlyArray<LiveEvent>) => {
      if (state !== "open" || events.length === 0) return
      const bytes = events.reduce((sum, { data }) => sum + data.length + 64, 0)
      const isTooMuch = size > 0 && size + bytes > mostWaiting
      // Who is ready to take it is not among those who take up the room.
      if (isTooMuch || (taker === null && ofAll.held + bytes > ofAll.most)) return end("too_slow")
      waiting.push(...events)
      size += bytes
      ofAll.held += bytes
      hand()
    },
    end,
    next: () =>
      new Promise<ReadonlyArray<LiveEvent> | null>((resolve) => {
        finishHanded()
        taker = resolve
        hand()
      }),
    close: () => {
      if (state === "open") onClose()
      state = "closed"
      giveUpWaiting()
      finishHanded()
      hand()
    },
    onCut: (made: () => void) => {
      cut = made
    },
  }
}

/** A sign of life that says how far the stream is. */
export const makeBeat = (cursor: LiveCursor | null): LiveEvent => ({
  name: null,
  data: "",
  id: cursor === null ? null : formatCursor(cursor),
})

/** An event that cannot be read on from. */
export const makeEvent = (name: string, data: object): LiveEvent => ({ name, data: JSON.stringify(data), id: null })

/** The same events, of which the last one says how far the stream is. */
export const closeBatch = (events: ReadonlyArray<LiveEvent>, cursor: LiveCursor): ReadonlyArray<LiveEvent> =>
  events.map((event, at) => (at === events.length - 1 ? { ...event, id: formatCursor(cursor) } : event))
