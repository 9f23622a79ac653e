import type { Entitlement, UserRow } from "@hearth/core"
import { sessionShapes } from "../auth/memory-sessions.ts"
import { shapeOf } from "../memory/shape.ts"

/** The table of users. */
export const userShape = shapeOf<UserRow>(
  "users",
  {
    id: "uuid",
    email: "text?",
    display_name: "text",
    anonymous_id: "text",
    auth_providers: "json",
    properties: "json",
    first_seen_at: "instant",
    last_seen_at: "instant",
    external_id: "text?",
    avatar_url: "text?",
    timezone: "text?",
    password_hash: "text?",
    is_disabled: "boolean",
    created_at: "instant",
    updated_at: "instant",
  },
  { unique: [["email"], ["external_id"], ["anonymous_id"]] },
)

/** The table of entitlements. */
export const entitlementShape = shapeOf<Entitlement>(
  "entitlements",
  {
    id: "uuid",
    app_user_id: "uuid",
    entitlement_id: "text",
    is_active: "boolean",
    store: "text?",
    product_id: "text?",
    purchase_date: "instant?",
    expiration_date: "instant?",
    period_type: "text?",
    raw_data: "json",
    updated_at: "instant",
  },
  { unique: [["app_user_id", "entitlement_id"]], parents: { app_user_id: "users" } },
)

/** The tables of the sessions of users. */
export const userSessionShapes = sessionShapes("users")
