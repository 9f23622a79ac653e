export {
  type CheckWebhook,
  type IntegrationOf,
  InvalidSignature,
  MissingProject,
  makeCheckWebhook,
  NotConfigured,
  type UncheckedWebhook,
  type WebhookRefusal,
} from "./check-webhook.ts"
export { type InboxQuery, makeInboxReading } from "./inbox.ts"
export {
  type InboxEntry,
  InboxEntryView,
  InboxRow,
  InboxStatus,
  InboxSummary,
  WebhookProvider,
} from "./inbox-entry.ts"
export { type InboxFilter, type InboxOutcome, processTopic, type WebhookInbox, type WebhooksDb } from "./port.ts"
export { makeProcessAndFinish, makeProcessHandler } from "./process-entry.ts"
export { makeProcessPaywall } from "./process-paywall.ts"
export type { ProcessEntry, ProcessedEntry, Processors } from "./processor.ts"
export { listProviderIds } from "./provider-ids.ts"
export {
  InvalidWebhookBody,
  makeReceivePaywall,
  type PaywallWebhook,
  PaywallWebhookBody,
} from "./receive-paywall.ts"
export {
  makeReceiveSubscription,
  type SubscriptionWebhook,
  SubscriptionWebhookBody,
  type WebhookBody,
  WebhookReceived,
} from "./receive-subscription.ts"
export { resolveUsers } from "./resolve-users.ts"
export { webhookInboxSection } from "./sections.ts"
export { makeTestWebhook, WebhookTested } from "./test-webhook.ts"
export { makeWebhooksWork } from "./work.ts"
