import { Forbidden, InvalidInput, RateLimitExceeded } from "@hearth/core"
import { Integration, IntegrationChanges, IntegrationProvider } from "@hearth/core/integrations"
import { NotConfigured, WebhookProvider, WebhookTested } from "@hearth/core/webhooks"
import { paging } from "../http/request/query.ts"
import { deleted, ok, pageOf } from "../http/response/answers.ts"
import { route } from "./route.ts"

const params = { provider: IntegrationProvider }

/** Decisions C and H1: with whom a project is connected. */
export const integrationRoutes = [
  route("GET", "/admin/projects/:projectId/integrations", {
    id: "integrations.list",
    summary: "Lists the integrations that are set, without their secrets",
    description: "Secrets are never shown: `has_secret` says whether there is one.",
    access: "developer",
    query: paging(),
    returns: pageOf(Integration),
    run: ({ core, params: { projectId }, query }) => core.integrations.list(projectId, query),
  }),
  route("PUT", "/admin/projects/:projectId/integrations/:provider", {
    id: "integrations.set",
    summary: "Sets what is given of an integration; what is left out stays, null clears; secrets are never answered",
    description:
      "`config` depends on the provider: the webhook's secret, or the credentials of a push service. Secrets are encrypted at rest.",
    access: "developer",
    params,
    body: IntegrationChanges,
    errors: [Forbidden, InvalidInput],
    returns: ok(Integration),
    run: ({ core, params: { projectId, provider }, caller, body }) =>
      core.integrations.put(projectId, caller.developer_id, provider, body),
  }),
  route("DELETE", "/admin/projects/:projectId/integrations/:provider", {
    id: "integrations.delete",
    summary: "Removes an integration with its secrets",
    description: "Webhooks of this provider are refused from now on, and its pushes are not sent.",
    access: "developer",
    params,
    errors: [Forbidden],
    returns: deleted,
    run: ({ core, params: { projectId, provider }, caller }) =>
      core.integrations.remove(projectId, caller.developer_id, provider),
  }),
  route("POST", "/admin/projects/:projectId/integrations/:provider/test", {
    id: "integrations.test",
    summary: "Takes in a webhook of the service's own making, signed with the stored secret",
    description:
      "It goes the way of one of the provider into the inbox, as `provider_event_id`, names no user and changes nothing else. It tells whether the integration can take webhooks; whether the provider sends them here with the same secret, only a webhook of the provider tells. Pushes have `POST …/push/campaigns/test`.",
    access: "developer",
    params: { provider: WebhookProvider },
    errors: [NotConfigured, RateLimitExceeded],
    returns: ok(WebhookTested),
    run: ({ core, params: { projectId, provider } }) => core.webhooks.test(projectId, provider),
  }),
]
