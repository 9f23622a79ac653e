import type { JsonObject } from "../schema.ts"

/** What APNs asks for [H1.1]. */
export interface PushACredentials {
  readonly provider: "push_a"
  readonly team_id: string
  readonly key_id: string
  /** A private key for ES256, PKCS8 PEM. */
  readonly private_key: string
  /** The bundle id of the app. */
  readonly topic: string
  readonly environment: "production" | "sandbox"
}

/** What FCM asks for: a service account [H1.1], checked when it is stored. */
export interface PushBCredentials {
  readonly provider: "push_b"
  readonly service_account: JsonObject & {
    readonly project_id: string
    readonly client_email: string
    /** A private key for RS256, PKCS8 PEM. */
    readonly private_key: string
    readonly token_uri: string
  }
}

/** The credentials of a push provider. */
export type PushCredentials = PushACredentials | PushBCredentials

/** How subscription webhooks of a project are accepted. */
export interface SubscriptionSettings {
  readonly provider: "subscription"
  readonly webhook_secret: string
  readonly accept_sandbox: boolean
}

/** How paywall webhooks of a project are accepted. */
export interface PaywallSettings {
  readonly provider: "paywall"
  readonly webhook_secret: string
  readonly signature_scheme: "hex" | "standard"
}

/** An active integration that has all that it needs, its secrets readable. */
export type ActiveIntegration = (PushCredentials | SubscriptionSettings | PaywallSettings) & {
  readonly project_id: string
  /** Differs whenever anything of it does. */
  readonly version: string
}
