import type { RevocationSubscriber, Revocations } from "@hearth/core"
import { Effect } from "effect"
import type { Connection } from "../connections/connection.ts"
import { type OnNotification, type OtherChannel, startListener } from "./listener.ts"
import { writePayloads } from "./payloads.ts"

/** What revocations need of the control database. Times are in milliseconds. */
export interface RevocationsParts {
  /** Opens a connection of its own for listening; null where this process remembers nothing and need not hear. */
  readonly connect: ((onLost: () => void, onNotification: OnNotification) => Promise<Connection>) | null
  /** Sends notifications on any connection. */
  readonly notify: (payloads: ReadonlyArray<string>, channel?: string) => Promise<void>
  /** Other channels that are heard on the same connection. */
  readonly others?: ReadonlyArray<OtherChannel>
  readonly onWarning: (message: string, cause: unknown) => void
  readonly pingMillis: number
}

/** The revocations of one process. */
export interface OpenRevocations extends Revocations {
  /** Sends notifications on another channel, on the connection that listens or, where it is lost, on any. */
  say(channel: string, payloads: ReadonlyArray<string>): Promise<void>
  /** Sends what is waiting, and stops to listen. Takes at most two seconds. */
  close(): Promise<void>
}

// Many changes at once, as when thousands log out, become one notification.
const gatherMillis = 50

// On a dead network nothing can be told, and a stop must end.
const closeMillis = 2_000

const waitAtMost = async (millis: number, work: Promise<unknown>) => {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, millis)
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/**
 * Tells processes by NOTIFY on the control database. What is written there notifies by triggers in its transaction, so also
 * when this process dies before it can announce; what is written in a project's database is announced after its commit.
 */
export const openRevocations = async ({
  connect,
  notify,
  others = [],
  onWarning,
  pingMillis,
}: RevocationsParts): Promise<OpenRevocations> => {
  const subscribers = new Set<RevocationSubscriber>()
  const forget = (ids: ReadonlyArray<string>) => {
    for (const subscriber of subscribers) subscriber.forget(ids)
  }
  const listener =
    connect === null
      ? null
      : startListener({
          connect,
          others,
          pingMillis,
          onRevoked: forget,
          onMissed: () => {
            for (const subscriber of subscribers) subscriber.forgetAll()
          },
          onDeaf: (reason) => onWarning("What other processes revoke is not heard.", reason),
        })
  await listener?.begun()

  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  const send = async (payloads: ReadonlyArray<string>) => {
    try {
      // The listener's own connection needs not wait for the pool.
      await (listener?.isHearing() ? listener.notify(payloads).catch(() => notify(payloads)) : notify(payloads))
    } catch (error) {
      onWarning("Other processes could not be told what was revoked. There it holds within five seconds.", error)
    }
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const payloads = writePayloads(waiting)
    waiting.clear()
    if (payloads.length > 0) sending = sending.then(() => send(payloads))
    return sending
  }

  return {
    announce: (ids) =>
      Effect.sync(() => {
        forget(ids)
        for (const id of ids) waiting.add(id)
        timer ??= setTimeout(flush, gatherMillis)
      }),
    subscribe: (subscriber) => void subscribers.add(subscriber),
    isHearing: () => listener?.isHearing() ?? false,
    say: (channel, payloads) =>
      listener?.isHearing()
        ? listener.notify(payloads, channel).catch(() => notify(payloads, channel))
        : notify(payloads, channel),
    close: () =>
      waitAtMost(
        closeMillis,
        flush().then(() => listener?.close()),
      ),
  }
}
