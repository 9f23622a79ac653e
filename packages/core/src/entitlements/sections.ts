import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { Entitlement, toleranceMillis } from "./entitlement.ts"

/** The entitlements of the user. One that has ended is inactive, as everywhere [E7]. */
export const userEntitlementsSection: TableSection = {
  name: "user_entitlements",
  key: ["id"],
  columns: describeColumns(Entitlement),
  expiry: { flag: "is_active", end: "expiration_date", millis: toleranceMillis },
}
