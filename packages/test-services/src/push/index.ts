export * from "./apns-server.ts"
export * from "./fcm-server.ts"
export { apnsKey, serviceAccountKey } from "./keys.ts"
