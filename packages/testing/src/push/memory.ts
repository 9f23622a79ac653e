import type { PushToken } from "@hearth/core"
import { shapeOf } from "../memory/shape.ts"

/** The table of the devices of users. */
export const pushTokenShape = shapeOf<PushToken>(
  "push tokens",
  {
    id: "uuid",
    app_user_id: "uuid",
    platform: ["ios", "android", "web"],
    provider: ["push_a", "push_b"],
    token: "text",
    is_active: "boolean",
    created_at: "instant",
  },
  { unique: [["token"]], parents: { app_user_id: "users" } },
)
