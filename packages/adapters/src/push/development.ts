import type { Clock, JsonObject } from "@hearth/core"
import {
  type ApnsPayload,
  buildPayload,
  type FcmMessage,
  type PushGateway,
  type PushMessage,
  type PushOutcome,
  type PushProvider,
} from "@hearth/core/push"
import { Effect } from "effect"

/** A push that was kept instead of sent. */
export interface KeptPush {
  readonly project_id: string
  readonly provider: PushProvider
  readonly delivery_id: string
  readonly token: string
  readonly title: string
  readonly body: string
  readonly data: JsonObject
  readonly options: JsonObject
  /** What the provider would have been sent. */
  readonly payload: ApnsPayload | FcmMessage
  readonly at: Date
}

/** A gateway for development that sends nothing. */
export interface DevelopmentGateway {
  readonly accept: NonNullable<PushGateway["development"]>
  /** What is kept, the newest first. */
  readonly list: () => ReadonlyArray<KeptPush>
}

/** Keeps the newest `capacity` pushes in memory, and refuses what is too large for a provider [H4.2]. */
export const developmentGateway = (clock: Clock, capacity = 1000): DevelopmentGateway => {
  const kept: Array<KeptPush> = []
  const keep = (project_id: string, provider: PushProvider, message: PushMessage): PushOutcome => {
    const at = clock.now()
    const payload = buildPayload(provider, message, at)
    if (payload === null) return { kind: "rejected", reason: "PayloadTooLarge" }
    const { delivery_id, token, title, body, data, options } = message
    kept.push({ project_id, provider, delivery_id, token, title, body, data, options, payload, at })
    // Twice as many are let come together, so that not every push moves all others.
    if (kept.length >= 2 * capacity) kept.splice(0, kept.length - capacity)
    return { kind: "sent", provider_message_id: `development-${delivery_id}` }
  }
  return {
    accept: (projectId, provider, messages) =>
      Effect.sync(() => messages.map((message) => keep(projectId, provider, message))),
    list: () => kept.slice(-capacity).reverse(),
  }
}
