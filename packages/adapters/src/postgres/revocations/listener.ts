import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { Connection } from "../connections/connection.ts"
import { readPayload, revocationChannel, writePing } from "./payloads.ts"

/** Called for each notification of a connection that listens. */
export type OnNotification = (payload: string, channel: string) => void

/** A channel that is listened to beside that of revocations. */
export interface OtherChannel {
  readonly name: string
  readonly hear: (payload: string) => void
  /** It is heard, and was not before. */
  readonly heardAgain: () => void
}

/** How a listener connects, and whom it tells. Times are in milliseconds. */
export interface ListenerParts {
  /** Opens a connection that nobody else uses. `onLost` is called when it ends by itself. */
  readonly connect: (onLost: () => void, onNotification: OnNotification) => Promise<Connection>
  readonly onRevoked: (ids: ReadonlyArray<string>) => void
  /** Other channels that are listened to on the same connection. */
  readonly others: ReadonlyArray<OtherChannel>
  /** Changes may have been missed. */
  readonly onMissed: () => void
  /** Called when it goes deaf, with the reason. */
  readonly onDeaf: (reason: unknown) => void
  /** How often it sends itself a ping. */
  readonly pingMillis: number
}

/** Listens on a connection of its own, and connects again for as long as it is open. */
export interface Listener {
  isHearing(): boolean
  /** Sends notifications on its connection. Rejects while there is none. */
  notify(payloads: ReadonlyArray<string>, channel?: string): Promise<void>
  /** Waits until it hears or its first attempt has failed. */
  begun(): Promise<void>
  close(): Promise<void>
}

// A ping that is not heard for this long is lost: the answers of a live server take milliseconds.
const answerMillis = 2_000
const firstRetryMillis = 100
const lastRetryMillis = 1_000

/** Sends notifications: each payload is one. */
export const notifyStatement = (payloads: ReadonlyArray<string>, channel = revocationChannel) => ({
  text: "select pg_notify($1, payload) from unnest($2::text[]) as payload",
  values: [channel, payloads],
})

/** Starts a listener. It hears once its own ping came back, and is deaf when one does not. */
export const startListener = (parts: ListenerParts): Listener => {
  const { connect, onRevoked, onMissed, onDeaf, others, pingMillis } = parts
  const closing = new AbortController()
  const begun = Promise.withResolvers<void>()
  let open: Connection | null = null
  let isHearing = false
  let ping: { readonly id: string; readonly heard: () => void } | null = null

  const onNotification: OnNotification = (payload, channel) => {
    const other = others.find(({ name }) => name === channel)
    if (other !== undefined) return other.hear(payload)
    const heard = readPayload(payload)
    if (heard.kind === "revoked") onRevoked(heard.ids)
    else if (heard.kind === "unknown") onMissed()
    else if (heard.id === ping?.id) ping.heard()
  }

  const hearPing = async (connection: Connection, lost: Promise<never>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ping = { id: randomUUID(), heard: resolve }
    const late = new AbortController()
    const patience = wait(answerMillis, undefined, { signal: AbortSignal.any([late.signal, closing.signal]) }).then(
      () => {
        throw new Error(`The process did not hear its own notification within ${answerMillis} ms.`)
      },
    )
    try {
      const sent = connection.run(notifyStatement([writePing(ping.id)])).then(() => promise)
      await Promise.race([sent, patience, lost])
    } finally {
      late.abort()
      await patience.catch(() => {})
    }
  }

  /** Listens until the connection is lost or deaf; then it rejects. */
  const listen = async () => {
    const { promise: lost, reject } = Promise.withResolvers<never>()
    lost.catch(() => {})
    const connection = await connect(() => reject(new Error("The listening connection was lost.")), onNotification)
    open = connection
    try {
      const channels = [revocationChannel, ...others.map(({ name }) => name)]
      const listening = channels.map((name) => connection.run({ text: `listen ${name}`, values: [] }))
      await Promise.race([Promise.all(listening), lost])
      for (;;) {
        await hearPing(connection, lost)
        // What was committed before it listened has not been heard.
        const isAnew = !isHearing
        if (isAnew) onMissed()
        isHearing = true
        if (isAnew) for (const { heardAgain } of others) heardAgain()
        begun.resolve()
        await Promise.race([wait(pingMillis, undefined, { signal: closing.signal }), lost])
      }
    } finally {
      open = null
      await connection.close()
    }
  }

  const run = async () => {
    let retryMillis = firstRetryMillis
    while (!closing.signal.aborted) {
      const reason = await listen().catch((error: unknown) => error)
      if (closing.signal.aborted) break
      if (isHearing) {
        isHearing = false
        retryMillis = firstRetryMillis
        onDeaf(reason)
      }
      begun.resolve()
      await wait(retryMillis, undefined, { signal: closing.signal }).catch(() => {})
      retryMillis = Math.min(lastRetryMillis, retryMillis * 2)
    }
    isHearing = false
    begun.resolve()
  }
  const running = run()

  return {
    isHearing: () => isHearing,
    notify: async (payloads, channel) => {
      if (open === null || !isHearing) throw new Error("The listener has no connection.")
      await open.run(notifyStatement(payloads, channel))
    },
    begun: () => begun.promise,
    close: () => {
      closing.abort()
      return running
    },
  }
}
