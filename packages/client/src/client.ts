import { type Api, type ClientPaths, makeApi, toBaseUrl } from "./api.ts"
import { makeAuthorized } from "./authorize.ts"
import { HearthError } from "./error.ts"
import { makeQueue, type OnError, type TrackedEvent, type Waiting } from "./events/queue.ts"
import { leastSkewMillis, makeSender } from "./events/sender.ts"
import type { components } from "./generated/components.ts"
import { makeSession, type SignedOutReason } from "./session.ts"
import { makeSignIns, type SignedIn, type SignIns } from "./sign-in.ts"
import { defaultStorage, type HearthStorage, makeSafeStorage } from "./storage.ts"
import { listen, makeUuid, surroundings } from "./surroundings.ts"
import { makeSend, type TransportOptions } from "./transport.ts"

type Schemas = components["schemas"]

/** The options of an app's client. */
export interface ClientOptions extends TransportOptions {
  /** Where the service is, with or without `/v1`. */
  readonly url: string
  /** The project's client key. */
  readonly apiKey: string
  /** Where tokens and waiting events are kept: `localStorage` in browsers and memory elsewhere, where left out. */
  readonly storage?: HearthStorage
  /** Somebody has signed in, here or in another tab. */
  readonly onSignedIn?: (session: SignedIn) => void
  /** Nobody is signed in any more. */
  readonly onSignedOut?: (reason: SignedOutReason) => void
  /** What went wrong in the background: events that were refused or dropped, a storage that is full. */
  readonly onError?: OnError
  /** How events are collected. */
  readonly events?: {
    /** With so many they are sent at once; 20 where left out. */
    readonly batchSize?: number
    /** After how many milliseconds fewer are sent; 5,000 where left out. */
    readonly interval?: number
    /** How many may wait; 1,000 where left out. The oldest are dropped. */
    readonly maxEvents?: number
    /** How many bytes they may have; 512 KiB where left out. */
    readonly maxBytes?: number
  }
}

/** What may be said about an event. */
export interface TrackOptions {
  /** When it occurred; now where left out. */
  readonly occurredAt?: Date
  /** Makes that it counts once, however often it is tracked; a new one where left out. */
  readonly eventId?: string
}

/** The client of an app, for one user at a time. */
export interface HearthClient extends SignIns {
  /** Every route of an app: `hearth.api.GET("/client/streaks")`. */
  readonly api: Api<ClientPaths>
  /** Who is signed in; null where nobody is. Needs no network. */
  session(): Promise<SignedIn | null>
  /** The profile of who is signed in, with the entitlements. */
  me(): Promise<Schemas["OwnProfile"]>
  /** Changes the profile; properties are merged at the top level. */
  updateMe(changes: Schemas["ProfileChanges"]): Promise<Schemas["OwnProfile"]>
  /**
   * Tracks an event of who is signed in, or of who signs in next. It is kept until it has arrived, also over a reload, and counts
   * once. Answers its `event_id` at once.
   */
  track(name: string, properties?: Readonly<Record<string, unknown>>, options?: TrackOptions): string
  /** Sends all events of who is signed in. Rejects where they cannot be sent now; they are kept. */
  flush(): Promise<void>
  /** Ends timers and listeners. What waits stays in the storage. */
  close(): void
}

// What a browser sends after its page is gone, in all of the page's requests together, is 64 KiB.
const hiddenBytes = 60_000
// What a sign-out waits for the last events of the user.
const briefMillis = 3_000

// Of the paths below /client/auth/, only these have a user.
const isSignIn = (url: string): boolean => /\/v1\/client\/auth\/(?!sessions)/.test(url)

const toTracked = (
  name: string,
  properties: Readonly<Record<string, unknown>>,
  { occurredAt, eventId = makeUuid() }: TrackOptions,
  skew: number,
): TrackedEvent => ({
  event_name: name,
  properties,
  occurred_at: (occurredAt ?? new Date(Date.now() + skew)).toISOString(),
  event_id: eventId,
})

/** Makes the client of an app. It reads its storage at once, and sends nothing before it is asked to. */
export const createClient = (options: ClientOptions): HearthClient => {
  const { url, apiKey, onSignedIn, onSignedOut, onError = () => {}, events = {} } = options
  const { batchSize = 20, interval = 5_000, maxEvents = 1_000, maxBytes = 512 * 1024 } = events
  const storage = makeSafeStorage(options.storage ?? defaultStorage(), onError)
  const key = `hearth.${apiKey}`

  let skew = 0
  const send = makeSend(options, (serverTime) => {
    const difference = serverTime - Date.now()
    skew = Math.abs(difference) < leastSkewMillis ? 0 : difference
  })

  const plain = makeApi<ClientPaths>(url, (request, repeatable) => {
    request.headers.set("x-api-key", apiKey)
    if (!isSignIn(request.url)) return authorized(request, { repeatable })
    // A refresh is repeated, too: the service takes two at once for a race, not for a theft [docs/auth.md, 4].
    return send(request, { repeatable: repeatable || request.url.endsWith("/refresh") })
  })

  const session = makeSession({
    storage,
    key: `${key}.session`,
    refresh: async (refresh_token) => {
      const { data } = await plain.POST("/client/auth/refresh", { body: { refresh_token } })
      return { accessToken: data.session_token, refreshToken: data.refresh_token }
    },
    onChange: (now, before, reason) => {
      if (now !== null) queue.claim(now.userId)
      if (now !== null && now.userId !== before?.userId) onSignedIn?.({ userId: now.userId })
      if (now === null && before !== null) onSignedOut?.(reason)
      if (now !== null && queue.count(now.userId) > 0) sender.notice(queue.count(now.userId))
    },
  })
  const authorized = makeAuthorized(session, send, "INVALID_TOKEN")

  const eventRequest = (batch: ReadonlyArray<Waiting>, keepalive: boolean): Request =>
    new Request(`${toBaseUrl(url)}/client/events`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: JSON.stringify({ events: batch.map(({ event }) => event) }),
      keepalive,
    })

  const queue = makeQueue({ storage, key: `${key}.events`, maxEvents, maxBytes, onError })
  const sender = makeSender({
    queue,
    findUser: async () => (await session.current())?.userId ?? null,
    post: async (batch, user) => {
      await authorized(eventRequest(batch, false), { repeatable: false }, user)
    },
    skew: () => skew,
    onError,
    batchSize,
    interval,
  })

  /** Sends what fits, without waiting for anything: the page may be gone with the next turn. */
  const sendHidden = (): void => {
    const known = session.peek()
    const batch = known === null ? [] : queue.take(known.userId, 100, hiddenBytes)
    if (known === null || batch.length === 0 || (known.expiresAt ?? Number.POSITIVE_INFINITY) <= Date.now()) return
    const request = eventRequest(batch, true)
    request.headers.set("authorization", `Bearer ${known.accessToken}`)
    // What fails stays in the storage, and is sent by the next page.
    send(request, { repeatable: false }).then(
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
    listen("storage", (event) => {
      if (event.key === `${key}.session` || event.key === null) void session.reload()
    }),
  ]

  const flush = async (): Promise<void> => {
    await isReady
    await sender.flush()
    await queue.written()
  }

  const flushBriefly = async (): Promise<void> => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, briefMillis)
    })
    await Promise.race([flush().catch(() => {}), limit])
    clearTimeout(timer)
  }

  return {
    api: plain,
    ...makeSignIns({ api: plain, session, flushBriefly }),
    session: async () => {
      const known = await session.current()
      return known === null ? null : { userId: known.userId }
    },
    me: async () => (await plain.GET("/client/users/me")).data,
    updateMe: async (body) => (await plain.PATCH("/client/users/me", { body })).data,
    track: (name, properties = {}, more = {}) => {
      const event = toTracked(name, properties, more, skew)
      try {
        // A copy: what the app changes later is not part of the event.
        queue.add(JSON.parse(JSON.stringify(event)), session.peek()?.userId ?? null, more.occurredAt ? 0 : skew)
      } catch (cause) {
        onError(new HearthError("NOT_JSON", "The properties of an event must be JSON.", { cause }), event)
        return event.event_id
      }
      const user = session.peek()?.userId
      if (user !== undefined) sender.notice(queue.count(user))
      return event.event_id
    },
    flush,
    close: () => {
      for (const stop of stops) stop()
      sender.close()
      queue.detach()
    },
  }
}
