export type {
  ActiveIntegration,
  PaywallSettings,
  PushACredentials,
  PushBCredentials,
  PushCredentials,
  SubscriptionSettings,
} from "./credentials.ts"
export { type FindIntegration, makeFindIntegration } from "./find-integration.ts"
export { Integration, IntegrationChanges, IntegrationProvider, IntegrationRow } from "./integration.ts"
export { makeIntegrations } from "./integrations.ts"
export type { Integrations, IntegrationsControlDb, KeyUse } from "./port.ts"
export { describeLostKeys, makeSecretKeys, type SealedAgain } from "./secret-keys.ts"
export { openSecrets, sealSecrets } from "./secrets.ts"
export { isTokenUri } from "./token-uri.ts"
