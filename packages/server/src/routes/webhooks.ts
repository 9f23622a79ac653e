import { ListCursor, NotFound, RateLimitExceeded, Uuid } from "@hearth/core"
import { InvalidCursor } from "@hearth/core/events"
import {
  InboxEntryView,
  InboxStatus,
  InboxSummary,
  InvalidSignature,
  InvalidWebhookBody,
  MissingProject,
  NotConfigured,
  PaywallWebhookBody,
  SubscriptionWebhookBody,
  WebhookProvider,
  WebhookReceived,
} from "@hearth/core/webhooks"
import { Schema } from "effect"
import { paging, readsOn } from "../http/request/query.ts"
import { listPageOf, ok } from "../http/response/answers.ts"
import { route } from "./route.ts"

/** The most bytes of a webhook [A9]. */
const webhookBytes = 1024 * 1024

/** What both webhooks refuse, before anything of them is believed [H2.1]. */
const refusals = [MissingProject, InvalidSignature, NotConfigured, RateLimitExceeded] as const

/** Spec: webhook intake. */
const intake = [
  route("POST", "/webhooks/subscription", {
    id: "webhooks.subscription",
    summary: "Takes in an event of the subscription provider; it is processed afterwards",
    description:
      "Register `/v1/webhooks/subscription?project_id=…` with the provider, and the secret as a bearer. Whatever is stored is answered with 200; what it means for entitlements is worked out in the background.",
    access: "webhook",
    query: { project_id: Uuid },
    malformed: { project_id: MissingProject },
    body: "raw",
    bodyShape: SubscriptionWebhookBody,
    bodyLimit: webhookBytes,
    errors: refusals,
    returns: ok(WebhookReceived),
    fault: "WEBHOOK_PROCESSING_FAILED",
    run: ({ core, query: { project_id }, header, body }) =>
      core.webhooks.receiveSubscription({ project_id, authorization: header("authorization"), body }),
  }),
  route("POST", "/webhooks/paywall", {
    id: "webhooks.paywall",
    summary: "Takes in an event of the paywall provider, and writes it into the log",
    description:
      "Register `/v1/webhooks/paywall?project_id=…` with the provider. The signature is checked over the raw bytes. It becomes an event `paywall_<event>` of the user.",
    access: "webhook",
    query: { project_id: Uuid },
    malformed: { project_id: MissingProject },
    body: "raw",
    bodyShape: PaywallWebhookBody,
    bodyLimit: webhookBytes,
    invalid: InvalidWebhookBody,
    errors: [...refusals, InvalidWebhookBody],
    returns: ok(WebhookReceived),
    run: ({ core, query: { project_id }, header, body }) => core.webhooks.receivePaywall({ project_id, header, body }),
  }),
]

/** Decisions H2.3: what came in, and what became of it. */
const inbox = [
  route("GET", "/admin/projects/:projectId/webhooks/inbox", {
    id: "webhooks.inbox.list",
    summary: "Lists the webhooks that came in, the newest first",
    description:
      "Narrow it by `provider`, `status` and `user_id`. `unresolved` ones name a user whom nobody knows yet. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is.",
    access: "developer",
    query: {
      ...paging(),
      provider: Schema.optionalKey(WebhookProvider),
      status: Schema.optionalKey(InboxStatus),
      user_id: Schema.optionalKey(Uuid),
      ...readsOn(ListCursor),
    },
    malformed: { cursor: InvalidCursor },
    returns: listPageOf(InboxSummary, ListCursor),
    run: ({ core, params, query }) => core.webhooks.inbox(params.projectId, query),
  }),
  route("GET", "/admin/projects/:projectId/webhooks/inbox/:inboxId", {
    id: "webhooks.inbox.get",
    summary: "Shows a webhook with its body; a body that is no JSON object is shown as text",
    description: "The body is kept as the provider has sent it, so that you can see what was meant.",
    access: "developer",
    errors: [NotFound],
    returns: ok(InboxEntryView),
    run: ({ core, params }) => core.webhooks.entry(params.projectId, params.inboxId),
  }),
  route("POST", "/admin/projects/:projectId/webhooks/inbox/:inboxId/replay", {
    id: "webhooks.inbox.replay",
    summary: "Processes a webhook again, now: the result is the same, and nothing is done twice",
    description: "After you have mended what was wrong, such as a missing `external_id`.",
    access: "developer",
    errors: [NotFound],
    returns: ok(InboxEntryView),
    run: ({ core, params }) => core.webhooks.replay(params.projectId, params.inboxId),
  }),
]

/** Webhooks of providers. */
export const webhookRoutes = [...intake, ...inbox]
