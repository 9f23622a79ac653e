import { Effect } from "effect"
import { failure, type RateLimitExceeded } from "../failure.ts"
import type { ActiveIntegration } from "../integrations/credentials.ts"
import type { FindIntegration } from "../integrations/find-integration.ts"
import type { Limits } from "../limits/limits.ts"
import { isUuid } from "../schema.ts"
import type { WebhookProvider } from "./inbox-entry.ts"

/** `project_id` is missing from the query or is no uuid. */
export class MissingProject extends failure(
  "MissingProject",
  "invalid",
  "MISSING_PROJECT",
  "The query must have the project_id, a uuid.",
) {}

/** There is no such project, or it has no active integration of this provider with a secret: the same answer for all. */
export class NotConfigured extends failure(
  "NotConfigured",
  "not_found",
  "NOT_CONFIGURED",
  "The project takes no webhooks of this provider.",
) {}

/** The secret or the signature is missing or wrong. */
export class InvalidSignature extends failure(
  "InvalidSignature",
  "unauthenticated",
  "INVALID_SIGNATURE",
  "The secret or the signature of the webhook is missing or wrong.",
) {}

/** The active integration of a provider. */
export type IntegrationOf<P extends ActiveIntegration["provider"]> = Extract<
  ActiveIntegration,
  { readonly provider: P }
>

/** A webhook before anything of it is believed. */
export interface UncheckedWebhook<P extends WebhookProvider> {
  readonly project_id: string
  readonly provider: P
  /** Whether the secret or the signature is that of the integration. */
  readonly isAuthentic: (integration: IntegrationOf<P>) => boolean
}

/** Why a webhook is not taken in. */
export type WebhookRefusal = MissingProject | NotConfigured | InvalidSignature | RateLimitExceeded

/**
 * Checks a webhook of either provider: the project, its integration, the secret or signature, then the limit, in this order
 * [H2.1]. Answers the integration. Those that are refused for their secret or signature count only in a bucket of their own,
 * so that nobody without the secret keeps the provider out; where it is full they are `RateLimitExceeded`, too.
 */
export const makeCheckWebhook = (findIntegration: FindIntegration, limits: Pick<Limits, "webhook">) =>
  Effect.fnUntraced(function* <P extends WebhookProvider>(
    given: UncheckedWebhook<P>,
  ): Effect.fn.Return<IntegrationOf<P>, WebhookRefusal> {
    if (!isUuid(given.project_id)) return yield* new MissingProject()
    const projectId = given.project_id.toLowerCase()
    const integration = yield* findIntegration(projectId, given.provider)
    if (integration === null) return yield* new NotConfigured()
    const isAuthentic = given.isAuthentic(integration)
    yield* limits.webhook(projectId, isAuthentic)
    return isAuthentic ? integration : yield* new InvalidSignature()
  })

/** Checks a webhook of either provider. */
export type CheckWebhook = ReturnType<typeof makeCheckWebhook>
