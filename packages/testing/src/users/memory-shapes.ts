import { Entitlement } from "@hearth/core/entitlements"
import { UserRow } from "@hearth/core/users"
import { sessionShapes } from "../auth/memory-sessions.ts"
import { describeTable } from "../memory/shape.ts"

/** The table of users. */
export const userShape = describeTable("users", UserRow, { unique: [["email"], ["external_id"], ["anonymous_id"]] })

/** The table of entitlements. */
export const entitlementShape = describeTable("entitlements", Entitlement, {
  unique: [["app_user_id", "entitlement_id"]],
  parents: { app_user_id: "users" },
})

/** The tables of the sessions of users. */
export const userSessionShapes = sessionShapes("users")
