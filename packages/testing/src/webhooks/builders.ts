import type { InboxRow } from "@hearth/core/webhooks"
import { builtAt, makeId, nextNumber } from "../builders.ts"

/** A webhook of the subscription provider that has come in, and is not processed yet. */
export const anInboxRow = (given: Partial<InboxRow> = {}): InboxRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    provider: "subscription",
    provider_event_id: `event-${n}`,
    event_type: "RENEWAL",
    provider_user_id: null,
    status: "received",
    error: null,
    received_at: new Date(builtAt),
    processed_at: null,
    payload: { api_version: "1.0", event: { id: `event-${n}`, type: "RENEWAL" } },
    body_text: null,
    body_key: null,
    event_at: new Date(builtAt),
    ...given,
  }
}
