import { HearthError, readError } from "../error.ts"
import type { Session, StoredSession } from "../session.ts"
import type { SafeStorage } from "../storage.ts"
import { listen, makeUuid, surroundings } from "../surroundings.ts"
import { makeQueue, type OnError, type TrackedEvent, type Waiting } from "./queue.ts"
import { makeSender } from "./sender.ts"

/** How events are collected. */
export interface EventSettings {
  /** With so many they are sent at once; 20 where left out. */
  readonly batchSize?: number
  /** After how many milliseconds fewer are sent; 5,000 where left out. */
  readonly interval?: number
  /** How many may wait; 1,000 where left out. The oldest are dropped. */
  readonly maxEvents?: number
  /** How many bytes they may have; 512 KiB where left out. */
  readonly maxBytes?: number
}

/** What may be said about an event. */
export interface TrackOptions {
  /** When it occurred; now where left out. */
  readonly occurredAt?: Date
  /** Makes that it counts once for its user, however often it is tracked; a new one where left out. */
  readonly eventId?: string
}

/** Makes the request that sends events; `keepalive` is for one that outlives its page. */
export type EventRequest = (events: ReadonlyArray<TrackedEvent>, keepalive: boolean) => Request

interface EventOptions {
  readonly settings: EventSettings
  readonly storage: SafeStorage
  readonly key: string
  readonly session: Session
  readonly makeRequest: EventRequest
  /** Sends as this user; rejects when it is not the one who is signed in. */
  readonly sendAs: (request: Request, user: string) => Promise<Response>
  /** Sends with this token, as it is. */
  readonly sendWith: (request: Request, session: StoredSession) => Promise<Response>
  /** By how much the clock of the device is to be corrected, as far as is known. */
  readonly skew: () => number | null
  /** The same, from the service where it is not known. */
  readonly learnSkew: () => Promise<number>
  readonly onError: OnError
}

// What a browser sends after its page is gone, in all of the page's requests together, is 64 KiB.
const hiddenBytes = 60_000
// What a sign-out waits for the last events of the user.
const briefMillis = 3_000

const eventsOf = (batch: ReadonlyArray<Waiting>): ReadonlyArray<TrackedEvent> => batch.map(({ event }) => event)

/** Rejects unless the service says that it has the events: what they are removed for. */
const expectRecorded = async (response: Response): Promise<void> => {
  const answer = (await response.json().catch(() => null)) as { readonly data?: { readonly inserted?: unknown } } | null
  if (typeof answer?.data?.inserted !== "number") throw await readError(response)
}

/** Collects events and sends them, by themselves and when the page is hidden. */
export const makeEvents = (options: EventOptions) => {
  const { settings, storage, key, session, makeRequest, sendAs, sendWith, skew, learnSkew, onError } = options
  const { batchSize = 20, interval = 5_000, maxEvents = 1_000, maxBytes = 512 * 1024 } = settings
  const queue = makeQueue({ storage, key, maxEvents, maxBytes, onError })
  const sender = makeSender({
    queue,
    findUser: async () => (await session.current())?.userId ?? null,
    post: async (batch, user) => expectRecorded(await sendAs(makeRequest(eventsOf(batch), false), user)),
    ...{ skew: () => skew() ?? 0, learnSkew, onError, batchSize, interval },
  })

  /** Sends what fits, without waiting for anything: the page may be gone with the next turn. */
  const sendHidden = (): void => {
    const [known, time] = [session.peek(), skew()]
    if (time !== null) queue.setTime(time)
    const batch = known === null ? [] : queue.take(known.userId, 100, hiddenBytes)
    if (known === null || batch.length === 0 || (known.expiresAt ?? Number.POSITIVE_INFINITY) <= Date.now()) return
    // What fails stays in the storage, and is sent by the next page.
    sendWith(makeRequest(eventsOf(batch), true), known)
      .then(expectRecorded)
      .then(
        () => queue.remove(batch),
        () => {},
      )
  }

  const start = async (): Promise<void> => {
    await queue.attach()
    const known = await session.current()
    if (known === null) return
    queue.claim(known.userId)
    if (queue.count(known.userId) > 0) sender.notice(batchSize)
  }
  const isReady = start()

  const flush = async (): Promise<void> => {
    await isReady
    await sender.flush()
    await queue.written()
  }

  const stops = [
    listen("pagehide", () => {
      sendHidden()
      queue.detach()
    }),
    listen("pageshow", (event) => {
      if ((event as { readonly persisted?: boolean }).persisted === true) void queue.attach()
    }),
    listen("visibilitychange", () =>
      surroundings().document?.visibilityState === "hidden" ? sendHidden() : sender.wake(),
    ),
    listen("online", sender.wake),
  ]

  return {
    track: (
      event_name: string,
      properties: Readonly<Record<string, unknown>> = {},
      { occurredAt, eventId: event_id = makeUuid() }: TrackOptions = {},
    ): string => {
      const user = session.peek()?.userId
      try {
        const occurred_at = (occurredAt ?? new Date(Date.now() + (skew() ?? 0))).toISOString()
        // A copy: what the app changes later is not part of the event.
        const event: TrackedEvent = JSON.parse(JSON.stringify({ event_name, properties, occurred_at, event_id }))
        queue.add(event, user ?? null, occurredAt === undefined ? skew() : 0)
      } catch (cause) {
        onError(new HearthError("NOT_JSON", `The event ${event_name} is no JSON, or has no valid time.`, { cause }))
        return event_id
      }
      if (user !== undefined) sender.notice(queue.count(user))
      return event_id
    },

    flush,

    /** Sends what waits, for a moment: somebody else is about to sign in. */
    flushBriefly: async (): Promise<void> => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, briefMillis)
      })
      await Promise.race([flush().catch(() => {}), limit])
      clearTimeout(timer)
    },

    /** Somebody is signed in, whose is what nobody's was. */
    claim: (user: string, isNew: boolean): void => {
      queue.claim(user)
      if (isNew) sender.welcome(queue.count(user))
    },

    close: (): void => {
      for (const stop of stops) stop()
      sender.close()
      queue.close()
    },
  }
}
