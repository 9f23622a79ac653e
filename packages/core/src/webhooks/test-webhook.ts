import { Effect, Schema } from "effect"
import type { FindIntegration } from "../integrations/find-integration.ts"
import type { Ports } from "../ports/ports.ts"
import type { JsonObject } from "../schema.ts"
import { type IntegrationOf, NotConfigured } from "./check-webhook.ts"
import type { WebhookProvider } from "./inbox-entry.ts"
import { signPaywall } from "./paywall-signature.ts"
import type { makeReceivePaywall } from "./receive-paywall.ts"
import type { makeReceiveSubscription, WebhookBody } from "./receive-subscription.ts"

/** The answer to a test: the inbox has an entry with this id. */
export const WebhookTested = Schema.Struct({
  received: Schema.Literal(true),
  provider_event_id: Schema.String,
}).annotate({
  identifier: "WebhookTested",
})

const bodyOf = (value: JsonObject): WebhookBody => ({
  bytes: new TextEncoder().encode(JSON.stringify(value)),
  json: () => value,
})

/** How webhooks of each provider come in. */
interface Receive {
  readonly subscription: ReturnType<typeof makeReceiveSubscription>
  readonly paywall: ReturnType<typeof makeReceivePaywall>
}

/**
 * Takes in a webhook of our own making, with the secret that is stored: what follows is what follows on one of the provider. It
 * names no user and changes nothing but the inbox. Whether the provider has the same secret, and finds the way here, it does not tell.
 */
export const makeTestWebhook = (
  { clock, ids, signatures }: Pick<Ports, "clock" | "ids" | "signatures">,
  findIntegration: FindIntegration,
  receive: Receive,
) => {
  const sendSubscription = ({ project_id, webhook_secret }: IntegrationOf<"subscription">, id: string) => {
    const event = { id, type: "TEST", environment: "PRODUCTION", event_timestamp_ms: clock.now().getTime() }
    const body = bodyOf({ api_version: "1.0", event })
    return receive.subscription({ project_id, authorization: `Bearer ${webhook_secret}`, body })
  }

  const sendPaywall = (integration: IntegrationOf<"paywall">, id: string) => {
    const body = bodyOf({ event: "test", data: { id } })
    const headers = signPaywall(signatures, integration, { id, bytes: body.bytes }, clock.now())
    const header = (name: string) => headers[name] ?? null
    return receive.paywall({ project_id: integration.project_id, header, body })
  }

  const send = Effect.fnUntraced(function* (projectId: string, provider: WebhookProvider, id: string) {
    const integration = yield* findIntegration(projectId, provider)
    if (integration === null) return yield* new NotConfigured()
    return yield* integration.provider === "subscription"
      ? sendSubscription(integration, id)
      : sendPaywall(integration, id)
  })

  return Effect.fn("webhooks.test")(function* (projectId: string, provider: WebhookProvider) {
    const provider_event_id = `hearth-test-${ids.uuid()}`
    yield* send(projectId, provider, provider_event_id).pipe(
      Effect.catchTags({
        // The integration was changed at this moment.
        InvalidSignature: () => new NotConfigured(),
        InvalidWebhookBody: Effect.die,
        MissingProject: Effect.die,
      }),
    )
    return { received: true as const, provider_event_id }
  })
}
