import type { Effect } from "effect"
import type { PushCredentials } from "../../integrations/credentials.ts"
import type { JsonObject } from "../../schema.ts"
import type { PushOptions } from "../campaign.ts"

/** One push to one device, its texts filled [H4.3]. */
export interface PushMessage {
  readonly delivery_id: string
  /** The provider's token of the device. */
  readonly token: string
  readonly title: string
  readonly body: string
  readonly data: JsonObject
  readonly options: PushOptions
}

/**
 * What became of one push. A `reason` is the provider's reason code or one of ours, at most 64 letters, digits, `_`, `.` and `-`;
 * never what else the provider wrote [H4.2].
 * - `sent`: the provider has accepted it.
 * - `dead_token`: the token receives nothing any more; with `since`, unless it was registered after that instant.
 * - `rejected`: the provider or we refuse this one push; nothing is known of the token or of others.
 * - `retry`: certainly not accepted; may be tried again, not before `after_seconds` where the provider has said so.
 * - `unknown`: it was sent, and no answer says what became of it; not to be tried again [E9].
 * - `bad_payload`: the provider refuses the payload as such, for whatever device [H4.6].
 * - `misconfigured`: credentials or their configuration do not do; nothing of this account will be accepted.
 */
export type PushOutcome =
  | { readonly kind: "sent"; readonly provider_message_id: string | null }
  | { readonly kind: "dead_token"; readonly reason: string; readonly since: Date | null }
  | { readonly kind: "rejected" | "unknown" | "bad_payload" | "misconfigured"; readonly reason: string }
  | { readonly kind: "retry"; readonly reason: string; readonly after_seconds: number | null }

/** Whom pushes are sent through: a provider with its credentials. */
export type PushAccount = PushCredentials & {
  readonly project_id: string
  /** Differs whenever the credentials do, so that connections and tokens are kept by it. */
  readonly version: string
}

/** Sends pushes through the providers. */
export interface PushGateway {
  /**
   * Sends each message once, some of them side by side, and answers what became of each, in their order. It never fails, and
   * answers within 60 seconds: what has no answer by then is `unknown`, what was not begun by then is `retry`. A payload over
   * 4,096 bytes is `rejected` as `PayloadTooLarge`, before the provider is called [H4.3].
   */
  send(account: PushAccount, messages: ReadonlyArray<PushMessage>): Effect.Effect<ReadonlyArray<PushOutcome>>
  /**
   * Takes the pushes of a project that has no credentials for a provider, where the service is embedded [H4.2]; null
   * elsewhere. It accepts every push that is not too large.
   */
  readonly development:
    | ((
        projectId: string,
        provider: PushCredentials["provider"],
        messages: ReadonlyArray<PushMessage>,
      ) => Effect.Effect<ReadonlyArray<PushOutcome>>)
    | null
}
