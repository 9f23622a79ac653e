import { type Api, type ClientPaths, makeApi, toBaseUrl } from "./api.ts"
import { makeAuthorized, withToken } from "./authorize.ts"
import { type EventSettings, makeEvents, type TrackOptions } from "./events/events.ts"
import type { OnError } from "./events/queue.ts"
import { leastSkewMillis } from "./events/sender.ts"
import type { components } from "./generated/components.ts"
import { makeSession, type SignedOutReason } from "./session.ts"
import { makeSignIns, type SignedIn, type SignIns } from "./sign-in.ts"
import { defaultStorage, type HearthStorage, makeSafeStorage } from "./storage.ts"
import { listenToStream, type StreamOptions } from "./stream.ts"
import { listen } from "./surroundings.ts"
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
  readonly events?: EventSettings
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
  /** Tells what is new for who is signed in, as it happens: messages, XP, streaks, … Answers how to stop. */
  stream(options: StreamOptions): () => void
  /** Ends timers, streams and listeners. What waits stays in the storage. */
  close(): void
}

// Of the paths below /client/auth/, only these have a user.
const isSignIn = (url: string): boolean => /\/v1\/client\/auth\/(?!sessions)/.test(url)

/**
 * Makes the client of an app. It reads its storage at once, and sends nothing before it is asked to. Throws a `TypeError` where `url` is no address
 * or `apiKey` no text.
 */
export const createClient = (options: ClientOptions): HearthClient => {
  const { url, apiKey, onSignedIn, onSignedOut, onError = () => {} } = options
  // A variable that is not set would be a key "undefined" to the service, which cannot tell it from one that was revoked.
  if (typeof apiKey !== "string" || apiKey === "") throw new TypeError("apiKey must be the client key of the project.")
  const storage = makeSafeStorage(options.storage ?? defaultStorage(), onError)
  const key = `hearth.${apiKey}`

  /** Null until an answer has told the time. */
  let skew: number | null = null
  const send = makeSend(options, (serverTime) => {
    const difference = serverTime - Date.now()
    skew = Math.abs(difference) < leastSkewMillis ? 0 : difference
  })

  const api = makeApi<ClientPaths>(url, (request, how) => {
    request.headers.set("x-api-key", apiKey)
    if (!isSignIn(request.url)) return authorized(request, how)
    // A refresh is repeated, too: the service takes two at once for a race, not for a theft [docs/auth.md, 4].
    return send(request, request.url.endsWith("/refresh") ? { ...how, repeatable: true } : how)
  })

  const session = makeSession({
    storage,
    key: `${key}.session`,
    refresh: async (refresh_token) => {
      const { data } = await api.POST("/client/auth/refresh", { body: { refresh_token } })
      return { accessToken: data.session_token, refreshToken: data.refresh_token }
    },
    onChange: (now, before, reason) => {
      const isNew = now?.userId !== before?.userId
      if (now !== null) events.claim(now.userId, isNew)
      // The service may not hear of it, and would tell what is new for them until their token ends.
      if (before !== null && isNew) for (const { leave } of streams) leave()
      if (now !== null && isNew) onSignedIn?.({ userId: now.userId })
      if (now === null) onSignedOut?.(reason)
    },
  })
  const authorized = makeAuthorized(session, send, "INVALID_TOKEN")

  const events = makeEvents({
    settings: options.events ?? {},
    ...{ storage, key: `${key}.events`, session, onError, skew: () => skew },
    makeRequest: (batch, keepalive) => {
      const headers = { "content-type": "application/json", "x-api-key": apiKey }
      const body = JSON.stringify({ events: batch })
      return new Request(`${toBaseUrl(url)}/client/events`, { method: "POST", headers, body, keepalive })
    },
    // Once for each start at most: an answer that tells no time is as good as a right clock.
    learnSkew: async () => {
      if (skew === null) await api.GET("/client/users/me")
      skew ??= 0
      return skew
    },
    // The queue has its own way of trying again.
    sendAs: (request, user) => authorized(request, { repeatable: false, wantsJson: true }, user),
    sendWith: (request, known) => send(withToken(request, known), { repeatable: false, wantsJson: true }),
  })
  const stopListening = listen("storage", (event) => {
    if (event.key === `${key}.session` || event.key === null) void session.reload()
  })

  const streams = new Set<{ readonly stop: () => void; readonly leave: () => void }>()

  return {
    api,
    ...makeSignIns({ api, session, flushBriefly: events.flushBriefly }),
    session: async () => {
      const known = await session.current()
      return known === null ? null : { userId: known.userId }
    },
    me: async () => (await api.GET("/client/users/me")).data,
    updateMe: async (body) => (await api.PATCH("/client/users/me", { body })).data,
    track: events.track,
    flush: events.flush,
    stream: (asked) => {
      let connection = new AbortController()
      const connect = (headers: Readonly<Record<string, string>>) => {
        connection = new AbortController()
        return api.GET("/client/stream", { headers, parseAs: "stream", signal: connection.signal })
      }
      const one = { stop: listenToStream(connect, asked), leave: () => connection.abort() }
      streams.add(one)
      return () => {
        streams.delete(one)
        one.stop()
      }
    },
    close: () => {
      for (const { stop } of streams) stop()
      stopListening()
      events.close()
    },
  }
}
