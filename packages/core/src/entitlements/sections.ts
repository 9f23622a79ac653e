import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { Entitlement } from "./entitlement.ts"

/** The entitlements of the user. */
export const userEntitlementsSection: TableSection = {
  name: "user_entitlements",
  key: ["id"],
  columns: describeColumns(Entitlement),
}
