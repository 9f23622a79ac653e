import { PushToken } from "@hearth/core/push"
import { shapeOf } from "../memory/shape.ts"

/** The table of the devices of users. */
export const pushTokenShape = shapeOf("push tokens", PushToken, {
  unique: [["token"]],
  parents: { app_user_id: "users" },
})
