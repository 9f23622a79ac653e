export { Entitlement, EntitlementSummary } from "./entitlement.ts"
export { EntitlementGrant, makeEntitlements } from "./entitlements.ts"
export type { Entitlements, EntitlementsDb } from "./port.ts"
export { userEntitlementsSection } from "./sections.ts"
