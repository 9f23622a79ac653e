import type { Schemas } from "../../api.ts"
import type { FieldDescription } from "../../parts/editor/field-kind.ts"
import { choice, flag, line } from "../../parts/editor/kinds.tsx"
import { secretJson, secretLine, secretText } from "./secret-kinds.tsx"

type Integration = Schemas["Integration"]
export type ProviderId = Integration["provider"]

/** A provider with what can be set of its integration. The fields of `config` are named as the service names their faults. */
interface Provider {
  readonly id: ProviderId
  readonly title: string
  readonly about: string
  /** What to do at the provider. */
  readonly steps: string
  readonly fields: ReadonlyArray<FieldDescription>
  /** The key of `config` that is secret. */
  readonly secret: string
}

const active: FieldDescription = {
  name: "is_active",
  label: "Active",
  kind: flag,
  hint: "One that is not active keeps its settings, and takes and sends nothing.",
}

const webhookSecret = (hint: string): FieldDescription => ({
  name: "config.webhook_secret",
  label: "Webhook secret",
  kind: secretLine,
  hint: `${hint} 16 to 256 characters. It is never shown again: empty leaves it as it is.`,
})

export const providers: ReadonlyArray<Provider> = [
  {
    id: "subscription",
    title: "Subscriptions (RevenueCat)",
    about: "Purchases in the stores become entitlements of users.",
    steps:
      'At RevenueCat, under Integrations → Webhooks, paste the URL, and "Bearer" with the secret as the authorization header. Then press "Send test event" there.',
    secret: "webhook_secret",
    fields: [
      active,
      webhookSecret("Yours to choose; RevenueCat sends it with every webhook."),
      {
        name: "config.accept_sandbox",
        label: "Accept purchases of the sandbox",
        kind: flag,
        hint: "Otherwise they are kept as ignored. For projects that are not in production.",
      },
    ],
  },
  {
    id: "paywall",
    title: "Paywall (Superwall)",
    about: "What users do at a paywall becomes events named paywall_….",
    steps: "At the provider, add a webhook with the URL. The secret is the one that it signs with.",
    secret: "webhook_secret",
    fields: [
      active,
      webhookSecret("The one that the provider signs with."),
      {
        name: "config.signature_scheme",
        label: "Signature",
        kind: choice(() => [
          { value: "hex", name: "hex: x-paywall-signature" },
          { value: "standard", name: "standard: the headers webhook-… or svix-…" },
        ]),
        hint: "Exactly this one is accepted. Superwall's own webhooks have the headers svix-….",
      },
    ],
  },
  {
    id: "push_a",
    title: "Apple push (APNs)",
    about: "Pushes to iOS devices.",
    steps: "In Apple's developer account, under Keys, make a key for the Apple Push Notifications service.",
    secret: "private_key",
    fields: [
      active,
      { name: "config.team_id", label: "Team id", kind: line, hint: "Ten letters and digits." },
      { name: "config.key_id", label: "Key id", kind: line, hint: "That of the key below." },
      { name: "config.topic", label: "Topic", kind: line, hint: "The bundle id of the app, such as com.example.app." },
      {
        name: "config.environment",
        label: "Environment",
        kind: choice(() => ["production", "sandbox"]),
        hint: "sandbox is for builds that Xcode installs.",
      },
      {
        name: "config.private_key",
        label: "Private key",
        kind: secretText,
        hint: "The content of the .p8 file. It is never shown again: empty leaves it as it is.",
      },
    ],
  },
  {
    id: "push_b",
    title: "Firebase push (FCM)",
    about: "Pushes to Android and web devices.",
    steps: "In the Firebase console, under Project settings → Service accounts, generate a new private key.",
    secret: "service_account",
    fields: [
      active,
      {
        name: "config.service_account",
        label: "Service account",
        kind: secretJson,
        hint: "The content of the JSON file. Its key is never shown again: empty leaves it as it is.",
      },
    ],
  },
]

export const findProvider = (id: string | undefined) => providers.find((provider) => provider.id === id)

/** In a few words, whether it works as far as the service knows. */
export const stateOf = (found: Integration | undefined): string => {
  if (found === undefined) return "not set up"
  if (!found.has_secret) return "no secret"
  return found.is_active ? "active" : "not active"
}
