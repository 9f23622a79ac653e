import { generateKeyPairSync } from "node:crypto"
import type { ControlPlane, JsonObject, SecretBox } from "@hearth/core"
import {
  type ActiveIntegration,
  type IntegrationProvider,
  type IntegrationRow,
  type IntegrationsControlDb,
  sealSecrets,
} from "@hearth/core/integrations"
import { Effect } from "effect"
import { anId, builtAt, type Given } from "../builders.ts"

/** An active integration without settings and secrets. */
export const anIntegration = (given: Given<IntegrationRow, "project_id">): IntegrationRow => ({
  id: anId(),
  provider: "subscription",
  is_active: true,
  config: {},
  sealed: null,
  sealed_with: null,
  version: 1,
  updated_at: new Date(builtAt),
  ...given,
})

let keys: { readonly es256: string; readonly rs256: string } | undefined

/** Private keys in PKCS8 PEM, the same ones for all tests of a process. */
export const testPrivateKeys = () => {
  const pem = { type: "pkcs8", format: "pem" } as const
  keys ??= {
    es256: generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey.export(pem).toString(),
    rs256: generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export(pem).toString(),
  }
  return keys
}

/** The settings of a provider that has all that it needs, as a PUT sends them. */
export const integrationConfig = (provider: IntegrationProvider) => {
  const configs = {
    subscription: () => ({ webhook_secret: "subscription-secret" }),
    paywall: () => ({ webhook_secret: "paywall-secret-0" }),
    push_a: () => ({
      ...{ team_id: "TEAM123456", key_id: "KEY1234567", topic: "com.example.app", environment: "production" },
      private_key: testPrivateKeys().es256,
    }),
    push_b: () => ({
      service_account: {
        ...{ type: "service_account", project_id: "example-app", client_email: "push@example-app.iam.example" },
        ...{ private_key: testPrivateKeys().rs256, token_uri: "https://oauth2.googleapis.com/token" },
      },
    }),
  }
  return configs[provider]()
}

type Provider = ActiveIntegration["provider"]

/** Writes an active integration with `config` for its settings and secrets, without the checks of the use case. */
export const writeIntegration = Effect.fnUntraced(function* (
  { control, secrets }: { readonly control: ControlPlane<IntegrationsControlDb>; readonly secrets: SecretBox },
  project_id: string,
  provider: Provider,
  given: JsonObject = integrationConfig(provider),
) {
  const names = ["webhook_secret", "private_key", "service_account"]
  const pick = (isSecret: boolean): JsonObject =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name) === isSecret))
  const sealed = yield* sealSecrets(secrets, { project_id, provider }, pick(true))
  const row = anIntegration({ project_id, provider, config: pick(false), ...sealed })
  yield* control.transact((db) =>
    Effect.andThen(db.integrations.remove({ project_id, provider }), Effect.orDie(db.integrations.insert(row))),
  )
  return row
})
