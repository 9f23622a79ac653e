import type { JsonObject } from "../schema.ts"
import type { ActiveIntegration, PushBCredentials } from "./credentials.ts"
import type { IntegrationRow } from "./integration.ts"

type Settings = Readonly<Record<string, unknown>>

const isGiven = (value: unknown): value is string => typeof value === "string" && value !== ""

// What is stored was checked when it was written; what is asked here is whether all is there.
const readers: Readonly<Record<IntegrationRow["provider"], (given: Settings) => object | null>> = {
  subscription: ({ webhook_secret, accept_sandbox = false }) =>
    isGiven(webhook_secret) ? { webhook_secret, accept_sandbox } : null,
  paywall: ({ webhook_secret, signature_scheme = "hex" }) =>
    isGiven(webhook_secret) ? { webhook_secret, signature_scheme } : null,
  push_a: ({ team_id, key_id, private_key, topic, environment = "production" }) =>
    [team_id, key_id, private_key, topic].every(isGiven) ? { team_id, key_id, private_key, topic, environment } : null,
  push_b: ({ service_account }) => {
    const account = (service_account ?? {}) as Partial<PushBCredentials["service_account"]>
    const needed = [account.project_id, account.client_email, account.private_key, account.token_uri]
    return needed.every(isGiven) ? { service_account: account } : null
  },
}

/** An integration with all that it needs; null where something is missing. */
export const readActive = (
  { id, project_id, provider, config, updated_at, version: count }: IntegrationRow,
  secrets: JsonObject,
): ActiveIntegration | null => {
  const settings = readers[provider]({ ...config, ...secrets })
  // A row that was removed and made again has another id, and one that was restored comes to the same count later.
  const version = `${id}/${count}/${updated_at.getTime()}`
  return settings === null ? null : ({ provider, ...settings, project_id, version } as ActiveIntegration)
}
