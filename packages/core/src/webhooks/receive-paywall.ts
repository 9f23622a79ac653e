import { Cause, Effect, Exit, Schema } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import { failure } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import { isObject, type JsonObject } from "../schema.ts"
import type { CheckWebhook } from "./check-webhook.ts"
import { noteNamed } from "./find-named.ts"
import type { InboxRow } from "./inbox-entry.ts"
import { readPaywallEvent } from "./paywall-event.ts"
import { isPaywallSigned, readStandardHeaders } from "./paywall-signature.ts"
import { processTopic } from "./port.ts"
import { findOmission, lockPaywallUser, type PaywallDb, unresolved, writePaywallEvent } from "./process-paywall.ts"
import { listProviderIds } from "./provider-ids.ts"
import type { WebhookBody } from "./receive-subscription.ts"

/** The body is not JSON, or no object. */
export class InvalidWebhookBody extends failure(
  "InvalidWebhookBody",
  "invalid",
  "INVALID_BODY",
  "The body must be a JSON object.",
) {}

/** A webhook of the paywall provider as it comes in. */
export interface PaywallWebhook {
  readonly project_id: string
  readonly header: (name: string) => string | null
  readonly body: WebhookBody
}

/** What the provider sends, as far as an event comes of it; any other object is kept and ignored. For the reference. */
export const PaywallWebhookBody = Schema.Struct({ event: Schema.String, user_id: Schema.String }).annotate({
  identifier: "PaywallWebhook",
})

// The same body without an id is the same event for so long [E8].
const sameBodyMillis = 15 * 60_000

type ReceiveDb = BackgroundDb & PaywallDb

/** A row of the inbox, by its id at the provider or by its body. Answers whether it is new. */
const take = (db: ReceiveDb, row: InboxRow) =>
  row.provider_event_id === null
    ? db.webhookInbox.takeBody(row, new Date(row.received_at.getTime() - sameBodyMillis))
    : db.webhookInbox.take(row)

/**
 * Takes in webhooks of the paywall provider [H3.1]: the row of the inbox and the event commit together, in the request. Where the
 * event cannot be written, the row alone is kept, and processed afterwards: the answer is the same, so that the provider does not
 * repeat it for ever. A duplicate writes nothing.
 */
export const makeReceivePaywall = (
  ports: Pick<Ports<ReceiveDb>, "clock" | "ids" | "signals" | "signatures" | "tenants">,
  background: Pick<Dispatcher<ReceiveDb>, "markPending" | "nudge">,
  check: CheckWebhook,
) => {
  const { clock, signals, signatures, tenants } = ports

  const makeRow = (
    payload: JsonObject,
    bytes: Uint8Array,
    message: Parameters<typeof readPaywallEvent>[1],
  ): InboxRow => {
    const { id, type, provider_user_id } = readPaywallEvent(payload, message)
    const now = clock.now()
    return {
      ...{
        id: ports.ids.uuid(),
        provider: "paywall",
        provider_event_id: id,
        event_type: type,
        provider_user_id,
        payload,
      },
      ...{ received_at: now, event_at: now, body_text: null, body_key: id === null ? signatures.sha256(bytes) : null },
      ...{ status: "received", error: null, processed_at: null },
    }
  }

  const ignore = (row: InboxRow, error: string): InboxRow => ({
    ...row,
    ...{ status: "ignored", error, processed_at: row.received_at },
  })

  /** Takes a row in with its event, or as unresolved. A duplicate is left out. */
  const record = Effect.fnUntraced(function* (db: ReceiveDb, row: InboxRow) {
    const userId = yield* lockPaywallUser(db, { ...row, app_user_id: null })
    const outcome = userId === null ? unresolved : ({ status: "processed", error: null, user_ids: [userId] } as const)
    const { status, error } = outcome
    if (!(yield* take(db, { ...row, status, error, processed_at: row.received_at }))) return
    const waits_for = userId === null ? listProviderIds(row) : []
    yield* db.webhookInbox.finish(row.id, { ...outcome, waits_for, processed_at: row.received_at })
    if (userId !== null) return yield* writePaywallEvent(db, ports, { ...row, app_user_id: userId }, userId)
    // A user who is made at this moment does not see the row yet. It is looked at once more, under the hold.
    return yield* db.outbox.add(processTopic, { inbox_id: row.id })
  })

  /** Keeps the row for the background, where the event could not be written with it. */
  const keepForLater = Effect.fnUntraced(function* (projectId: string, row: InboxRow, cause: Cause.Cause<unknown>) {
    signals.emit({ name: "webhook_postponed", project_id: projectId, reason: describeCause(cause) })
    yield* tenants.transact(projectId, (db) => take(db, row))
  })

  // What a database says of a failure may quote what it was given.
  const describeCause = (cause: Cause.Cause<unknown>): string => {
    const [reason] = cause.reasons
    return reason?._tag === "Die" ? tenants.faultOf(reason.defect) : "unavailable"
  }

  return Effect.fn("webhooks.receivePaywall")(function* ({ project_id, header, body }: PaywallWebhook) {
    const integration = yield* check({
      ...{ project_id, provider: "paywall" },
      isAuthentic: (settings) => isPaywallSigned(signatures, settings, { header, bytes: body.bytes }, clock.now()),
    })
    const { project_id: projectId, signature_scheme: scheme } = integration
    const payload = body.json()
    if (!isObject(payload)) return yield* new InvalidWebhookBody()
    // The id of a message counts where the signature covers it.
    const id = scheme === "standard" ? (readStandardHeaders({ header })?.id ?? null) : null
    const row = makeRow(payload as JsonObject, body.bytes, { scheme, id })
    const omission = findOmission(row)
    if (omission !== null) {
      const ignored = ignore(row, omission)
      yield* tenants.transact(projectId, (db) =>
        Effect.flatMap(take(db, ignored), (isNew) => (isNew ? noteNamed(db, ignored) : Effect.void)),
      )
      return { received: true } as const
    }
    yield* background.markPending(projectId)
    const recorded = yield* Effect.exit(tenants.transact(projectId, (db) => record(db, row)))
    if (Exit.isFailure(recorded)) {
      if (Cause.hasInterrupts(recorded.cause)) return yield* Effect.failCause(recorded.cause)
      yield* keepForLater(projectId, row, recorded.cause)
    }
    yield* background.nudge(projectId)
    return { received: true } as const
  })
}
