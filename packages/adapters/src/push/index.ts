export { type DevelopmentGateway, developmentGateway, type KeptPush } from "./development.ts"
export { type OpenPush, openPush, type PushConfig, type PushParts } from "./open-push.ts"
export { type PushAddresses, pushSettings } from "./settings.ts"
