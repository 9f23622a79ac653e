import { generateKeyPairSync } from "node:crypto"

const pkcs8 = { type: "pkcs8", format: "pem" } as const

/** A private key for APNs. */
const someApnsKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export(pkcs8).toString()

/** A private key of a service account. */
const someRsaKey = () => generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export(pkcs8).toString()

/** The `config` of each provider, with all that it needs. */
export const integrationConfigs = () => ({
  subscription: { webhook_secret: "a subscription secret" },
  paywall: { webhook_secret: "a paywall secret" },
  push_a: {
    ...{ team_id: "TEAM123456", key_id: "KEY1234567", topic: "com.example.app", environment: "sandbox" },
    private_key: someApnsKey(),
  },
  push_b: {
    service_account: {
      ...{ type: "service_account", project_id: "example-app", client_email: "push@example-app.iam.example" },
      ...{ private_key: someRsaKey(), token_uri: "https://oauth2.googleapis.com/token" },
    },
  },
})
