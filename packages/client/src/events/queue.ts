import { HearthError } from "../error.ts"
import type { SafeStorage } from "../storage.ts"
import { claimSlot, type Slot, slotsOf } from "./slots.ts"

/** An event as it is sent. `event_id` makes that it counts once for its user, however often it is sent. */
export interface TrackedEvent {
  readonly event_name: string
  readonly properties: Readonly<Record<string, unknown>>
  readonly occurred_at: string
  readonly event_id: string
}

/** Tells what went wrong in the background, and with which event. */
export type OnError = (error: HearthError, event?: TrackedEvent) => void

/** An event that waits. */
export interface Waiting {
  readonly event: TrackedEvent
  /** Whose it is; null is whoever signs in next. */
  readonly user: string | null
  /** By how many milliseconds the clock of the device was corrected. */
  readonly skew: number
}

interface QueueOptions {
  readonly storage: SafeStorage
  readonly key: string
  readonly maxEvents: number
  readonly maxBytes: number
  readonly onError: OnError
}

const sizeOf = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

/** The event with the time that it has by another correction of the clock. */
export const correct = (one: Waiting, skew: number): Waiting => {
  const occurred_at = new Date(Date.parse(one.event.occurred_at) + skew - one.skew).toISOString()
  return { ...one, event: { ...one.event, occurred_at }, skew }
}

/** What an event is known by. Users have ids of their own. */
const keyOf = ({ event, user }: Waiting): string => JSON.stringify([user, event.event_id])

const isWaiting = (value: unknown): value is Waiting => {
  const { event, user, skew } = (value ?? {}) as Partial<Waiting>
  return (
    typeof event?.event_id === "string" &&
    typeof event.event_name === "string" &&
    (user === null || typeof user === "string") &&
    typeof skew === "number"
  )
}

const parse = (text: string | null): ReadonlyArray<Waiting> => {
  try {
    const found: unknown = JSON.parse(text ?? "[]")
    return Array.isArray(found) ? found.filter(isWaiting) : []
  } catch {
    return []
  }
}

/** Events that wait to be sent, in the order in which they were tracked, kept in the storage until they have arrived. */
export const makeQueue = ({ storage, key, maxEvents, maxBytes, onError }: QueueOptions) => {
  let waiting: ReadonlyArray<Waiting> = []
  const sizes = new WeakMap<TrackedEvent, number>()
  /** What was tracked in this run before an answer told the time. */
  const untimed = new WeakSet<TrackedEvent>()
  let slot: Slot | null = null
  let writing: Promise<void> | undefined
  let isStale = false
  /** Whether what the storage had is here. Before that nothing is written over it. */
  let isRead = false
  let attaching: Promise<void> | undefined
  /** Whether a place is only had for as long as something is written. */
  let isClosed = false

  const measure = (event: TrackedEvent): number => {
    const size = sizes.get(event) ?? sizeOf(JSON.stringify(event)) + 1
    sizes.set(event, size)
    return size
  }

  const write = async (): Promise<void> => {
    // Everything that is tracked in one turn is written once, before the turn ends.
    await null
    while (isStale && slot !== null) {
      if (!isRead && !(await readOwn(slot.key))) return
      isStale = false
      await storage.set(slot.key, waiting.length === 0 ? null : JSON.stringify(waiting))
    }
  }

  const change = (now: ReadonlyArray<Waiting>): void => {
    waiting = now
    isStale = true
    if (isClosed && slot === null) void attach()
    writing ??= write().finally(() => {
      writing = undefined
    })
  }

  /** Drops what is larger than all that may wait, by itself, and then the oldest while there are too many. */
  const bound = (given: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> => {
    const all = given.filter(({ event }) => {
      if (measure(event) <= maxBytes) return true
      onError(
        new HearthError("QUEUE_FULL", "An event was dropped, because it is larger than all that may wait."),
        event,
      )
      return false
    })
    let bytes = all.reduce((sum, { event }) => sum + measure(event), 0)
    let first = 0
    for (const { event } of all) {
      if (all.length - first <= maxEvents && bytes <= maxBytes) break
      bytes -= measure(event)
      first++
      onError(new HearthError("QUEUE_FULL", "An event was dropped, because too many are waiting."), event)
    }
    return all.slice(first)
  }

  const merge = (found: ReadonlyArray<Waiting>): void => {
    // What was nobody's in the storage may be somebody's by now.
    const known = new Set(waiting.flatMap((one) => [keyOf(one), keyOf({ ...one, user: null })]))
    const others = found.filter((one) => !known.has(keyOf(one)))
    if (others.length > 0) change(bound([...others, ...waiting]))
  }

  /** Takes what earlier pages have left in the storage. Answers whether that could be read. */
  const readOwn = async (own: string): Promise<boolean> => {
    const text = await storage.get(own)
    if (text === undefined) return false
    isRead = true
    merge(parse(text))
    return true
  }

  const claimAndRead = async (): Promise<void> => {
    const claimed = await claimSlot(storage.source, key)
    slot = claimed
    if (claimed === null) return
    await readOwn(claimed.key)
    const others = isRead ? slotsOf(key).filter((other) => other !== claimed.key) : []
    const texts = await Promise.all(others.map(storage.get))
    for (const other of others.filter((_, at) => texts[at])) {
      const left = await claimSlot(storage.source, key, other)
      if (left === null) continue
      const text = await storage.get(other)
      merge(parse(text ?? null))
      change(waiting)
      await writing
      if (text !== undefined) await storage.set(other, null)
      left.release()
    }
    change(waiting)
  }

  /** Lets another client have the place, as soon as all that is here is in it. */
  const leave = async (): Promise<void> => {
    while (writing !== undefined) await writing
    slot?.release()
    slot = null
    attaching = undefined
  }

  /** Reads what earlier pages have left, and takes over what closed tabs have left. */
  const attach = (): Promise<void> => {
    attaching ??= claimAndRead().then(async () => {
      if (isClosed) await leave()
      attaching = undefined
    })
    return attaching
  }

  return {
    attach,

    /** Lets another tab have the place in the storage, with what is in it. */
    detach: (): void => slot?.release(),

    /** Does the same for good: what comes later is written to whatever place is free then. */
    close: (): void => {
      isClosed = true
      if (attaching === undefined) void leave()
    },

    /** The skew is null where no answer has told the time yet. */
    add: (event: TrackedEvent, user: string | null, skew: number | null): void => {
      if (skew === null) untimed.add(event)
      change(bound([...waiting, { event, user, skew: skew ?? 0 }]))
    },

    isUntimed: (): boolean => waiting.some(({ event }) => untimed.has(event)),

    /** Sets right what was tracked before the time was known. */
    setTime: (skew: number): void =>
      change(waiting.map((one) => (untimed.delete(one.event) ? correct(one, skew) : one))),

    /** The oldest of a user, as many as fit; one at least. */
    take: (user: string, most: number, mostBytes: number): ReadonlyArray<Waiting> => {
      let bytes = 0
      const taken: Array<Waiting> = []
      for (const one of waiting) {
        if (one.user !== user) continue
        bytes += measure(one.event)
        if (taken.length === most || (taken.length > 0 && bytes > mostBytes)) break
        taken.push(one)
      }
      return taken
    },

    count: (user: string): number => waiting.filter((one) => one.user === user).length,

    /** Gives a user what was tracked while nobody was signed in. */
    claim: (user: string): void => {
      if (waiting.some((one) => one.user === null)) {
        change(waiting.map((one) => (one.user === null ? { ...one, user } : one)))
      }
    },

    remove: (gone: ReadonlyArray<Waiting>): void => {
      const keys = new Set(gone.map(keyOf))
      change(waiting.filter((one) => !keys.has(keyOf(one))))
    },

    replace: (old: Waiting, now: Waiting): void =>
      change(waiting.map((one) => (keyOf(one) === keyOf(old) ? now : one))),

    /** Resolves when the storage has what is here. */
    written: async (): Promise<void> => writing,
  }
}

/** Events that wait to be sent. */
export type Queue = ReturnType<typeof makeQueue>
