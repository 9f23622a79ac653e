import { Effect, Schema } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import type { Ports } from "../ports/ports.ts"
import { isObject, type JsonObject, text } from "../schema.ts"
import type { CheckWebhook } from "./check-webhook.ts"
import { noteNamed } from "./find-named.ts"
import type { InboxRow } from "./inbox-entry.ts"
import type { WebhooksDb } from "./port.ts"
import { readSubscription, sandboxSentence } from "./read-subscription.ts"

/** The body of a webhook. */
export interface WebhookBody {
  readonly bytes: Uint8Array
  /**
   * The JSON value; undefined where the bytes are no JSON within the limits of [A9]. Texts with NUL or half of a surrogate pair are mended,
   * or refused where nothing is said.
   */
  readonly json: (badTexts?: "mended") => unknown
}

/** A webhook of the subscription provider as it comes in. */
export interface SubscriptionWebhook {
  readonly project_id: string
  /** The header `Authorization`; null where there is none. */
  readonly authorization: string | null
  readonly body: WebhookBody
}

/** The answer to a webhook that was taken in. */
export const WebhookReceived = Schema.Struct({ received: Schema.Literal(true) }).annotate({
  identifier: "WebhookReceived",
})

/** What the provider sends, as far as it has to be there; any other body is kept and ignored. For the reference. */
export const SubscriptionWebhookBody = Schema.Struct({
  event: Schema.Struct({ id: text(1, 255), type: text(1, 255) }),
}).annotate({ identifier: "SubscriptionWebhook" })

// What nobody can process is kept for people to look at: a part of it, and the last ones.
const keptCharacters = 4_096
const keptObjectBytes = 16_384
const keptWithoutId = 1_000
const sameBodyMillis = 90 * 86_400_000

// The scheme is one word in any case; the secret is the rest as it is.
const bearer = /^bearer +(.*)$/i

const encoder = new TextEncoder()

type ReceiveDb = BackgroundDb & EventsDb & WebhooksDb

/**
 * Takes in webhooks of the subscription provider [H2.1]. What was taken in is stored; it is processed afterwards, also when
 * the queue cannot be told. An event that is known is answered like a new one, and nothing is written.
 */
export const makeReceiveSubscription = (
  { clock, ids, signatures, tenants }: Pick<Ports<ReceiveDb>, "clock" | "ids" | "signatures" | "tenants">,
  background: Pick<Dispatcher<ReceiveDb>, "markPending" | "nudge">,
  check: CheckWebhook,
) => {
  const isSecret = (authorization: string | null, secret: string) => {
    const given = bearer.exec(authorization ?? "")?.[1] ?? ""
    // Of equal length whatever was sent, so that the time tells nothing about the length of the secret either.
    const [one, other] = [encoder.encode(given), encoder.encode(secret)].map(signatures.sha256)
    return signatures.equal(encoder.encode(one), encoder.encode(other))
  }

  /** The beginning of a body that is no JSON object of a sane size, as text: what is no UTF-8 is U+FFFD, and so is NUL. */
  const readBeginning = (bytes: Uint8Array) =>
    new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(bytes.subarray(0, keptCharacters * 4))
      .replaceAll("\u0000", "\uFFFD")
      .slice(0, keptCharacters)
      .toWellFormed()

  const makeRow = ({ bytes, json }: WebhookBody, acceptsSandbox: boolean): InboxRow => {
    const now = clock.now()
    // An attribute that an app has cut in half must not take the purchase with it.
    const value = json("mended")
    const read = readSubscription(value)
    const payload = isObject(value) ? (value as JsonObject) : null
    const common = { id: ids.uuid(), provider: "subscription", received_at: now } as const
    const event = { provider_event_id: read.id, event_type: read.type }
    const ignored = (error: string) => ({ status: "ignored", error, processed_at: now }) as const
    if ("problem" in read) {
      const isKept = payload !== null && (read.id !== null || bytes.byteLength <= keptObjectBytes)
      return {
        ...{ ...common, ...event, ...ignored(read.problem), event_at: now, provider_user_id: null },
        payload: isKept ? payload : null,
        body_text: isKept ? null : readBeginning(bytes),
        body_key: read.id === null ? signatures.sha256(bytes) : null,
      }
    }
    const isIgnored = read.is_sandbox && !acceptsSandbox
    const fresh = { status: "received", error: null, processed_at: null } as const
    return {
      ...{ ...common, ...event, ...(isIgnored ? ignored(sandboxSentence) : fresh) },
      ...{ event_at: read.event_at ?? now, provider_user_id: read.provider_user_id, payload },
      ...{ body_text: null, body_key: null },
    }
  }

  /** Bodies without an id: each once in the time for which they are kept, and only the newest, so that they stay few. */
  const takeWithoutId = Effect.fnUntraced(function* (db: WebhooksDb, row: InboxRow) {
    const isNew = yield* db.webhookInbox.takeBody(row, new Date(row.received_at.getTime() - sameBodyMillis))
    if (isNew) yield* db.webhookInbox.keepNewestWithoutId("subscription", keptWithoutId)
    return isNew
  })

  /** What is ignored is taken in with those whom it names, so that it goes with them. */
  const takeIgnored = Effect.fnUntraced(function* (db: WebhooksDb, row: InboxRow) {
    const isNew = yield* row.provider_event_id === null ? takeWithoutId(db, row) : db.webhookInbox.take(row)
    if (isNew) yield* noteNamed(db, row)
  })

  return Effect.fn("webhooks.receiveSubscription")(function* ({
    project_id,
    authorization,
    body,
  }: SubscriptionWebhook) {
    const integration = yield* check({
      ...{ project_id, provider: "subscription" },
      isAuthentic: ({ webhook_secret }) => isSecret(authorization, webhook_secret),
    })
    const projectId = integration.project_id
    const row = makeRow(body, integration.accept_sandbox)
    yield* background.markPending(projectId)
    if (row.status === "received") {
      yield* tenants.read(projectId, (db) => db.webhookInbox.take(row))
      yield* background.nudge(projectId)
    } else yield* tenants.transact(projectId, (db) => takeIgnored(db, row))
    return { received: true } as const
  })
}
