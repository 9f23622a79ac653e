import { isObject, type JsonObject } from "../schema.ts"
import type { IntegrationProvider } from "./integration.ts"

/** What is stored of the settings of an integration: what may be read, and what is sealed. */
export interface StoredSettings {
  readonly config: JsonObject
  readonly secrets: JsonObject
}

/** The key of each provider that is secret. */
const secretKeys: Readonly<Record<IntegrationProvider, string>> = {
  subscription: "webhook_secret",
  paywall: "webhook_secret",
  push_a: "private_key",
  push_b: "service_account",
}

/** What is answered where nothing else is set. */
const shown: Readonly<Record<IntegrationProvider, JsonObject>> = {
  subscription: { accept_sandbox: false },
  paywall: { signature_scheme: "hex" },
  push_a: { team_id: null, key_id: null, topic: null, environment: "production" },
  push_b: { service_account: null },
}

const isSet = ([, value]: readonly [string, unknown]) => value !== null

/** What may be read of a service account. */
const describeAccount = ({ project_id, client_email, token_uri }: JsonObject): JsonObject =>
  ({ project_id, client_email, token_uri }) as JsonObject

/** The settings after a change: keys that are left out keep their value, null clears [H1.1]. */
export const mergeSettings = (
  provider: IntegrationProvider,
  { config, secrets }: StoredSettings,
  changes: JsonObject,
): StoredSettings => {
  const secret = secretKeys[provider]
  const { [secret]: given, ...open } = changes
  const account = secret === "service_account" && isObject(given) ? describeAccount(given as JsonObject) : given
  const described = secret === "service_account" && given !== undefined ? { [secret]: account ?? null } : {}
  const closed = given === undefined ? {} : { [secret]: given }
  const keep = (all: JsonObject): JsonObject => Object.fromEntries(Object.entries(all).filter(isSet))
  return { config: keep({ ...config, ...open, ...described }), secrets: keep({ ...secrets, ...closed }) }
}

/** Whether a change says anything about the secret. */
export const namesSecret = (provider: IntegrationProvider, changes: JsonObject): boolean =>
  Object.hasOwn(changes, secretKeys[provider])

/** Whether there is a secret among these; null is what cannot be read. */
export const hasSecret = (provider: IntegrationProvider, secrets: JsonObject | null): boolean =>
  secrets !== null && Object.hasOwn(secrets, secretKeys[provider])

/** The settings as they are answered: every key that is not secret. */
export const showConfig = (provider: IntegrationProvider, config: JsonObject): JsonObject => ({
  ...shown[provider],
  ...config,
})
