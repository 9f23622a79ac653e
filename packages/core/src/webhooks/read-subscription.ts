import { isObject, isText, type JsonObject } from "../schema.ts"
import { listProviderIds } from "./provider-ids.ts"

/** The subscription provider's event, as far as taking it in needs to know it [H2.1]. */
export interface SubscriptionEvent {
  readonly id: string
  readonly type: string
  /** Whom it concerns first, by the provider's id; null where it names nobody. */
  readonly provider_user_id: string | null
  /** When the provider says that it happened; null where it does not, or names no instant that can be stored. */
  readonly event_at: Date | null
  readonly is_sandbox: boolean
}

/** A body that is kept, but cannot be processed: what it has of an event, and a sentence that says what is wrong. */
export interface UnusableBody {
  readonly id: string | null
  readonly type: string | null
  readonly problem: string
}

// Longer ones are not the provider's.
const longest = 255

const readText = (value: unknown): string | null => (isText(value, 1, longest) ? value : null)

const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(9999, 0)

const readInstant = (millis: unknown): Date | null =>
  typeof millis === "number" && millis >= earliest && millis < latest ? new Date(millis) : null

const unusable = (problem: string, id: string | null = null, type: string | null = null): UnusableBody => ({
  ...{ id, type, problem },
})

/**
 * Reads a body of the subscription provider: the event, or why it is none that can be processed. `undefined` stands for bytes
 * that are no JSON within the limits of [A9].
 */
export const readSubscription = (body: unknown): SubscriptionEvent | UnusableBody => {
  if (body === undefined) return unusable("The body is not JSON, or is beyond the limits of what is taken for JSON.")
  if (!isObject(body)) return unusable("The body is not a JSON object.")
  const { event } = body
  if (!isObject(event)) return unusable("The body has no event.")
  const { id: givenId, type: givenType, event_timestamp_ms, environment } = event
  const [id, type] = [readText(givenId), readText(givenType)]
  if (id === null) return unusable(`event.id is not text of 1 to ${longest} characters.`, id, type)
  if (type === null) return unusable(`event.type is not text of 1 to ${longest} characters.`, id, type)
  return {
    ...{ id, type },
    provider_user_id: listProviderIds({ provider: "subscription", payload: body as JsonObject })[0] ?? null,
    event_at: readInstant(event_timestamp_ms),
    is_sandbox: typeof environment === "string" && environment.toUpperCase() === "SANDBOX",
  }
}

/** Why an event of the sandbox is ignored. */
export const sandboxSentence = "It is of the sandbox, which the integration does not accept."
