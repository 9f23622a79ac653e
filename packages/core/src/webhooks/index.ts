export {
  type CheckWebhook,
  type FindIntegration,
  type IntegrationOf,
  InvalidSignature,
  MissingProject,
  makeCheckWebhook,
  NotConfigured,
  type UncheckedWebhook,
  type WebhookRefusal,
} from "./check-webhook.ts"
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
export type { ProcessEntry, ProcessedEntry, Processors } from "./processor.ts"
export { listProviderIds } from "./provider-ids.ts"
export { resolveUsers } from "./resolve-users.ts"
export { makeWebhooksWork } from "./work.ts"
