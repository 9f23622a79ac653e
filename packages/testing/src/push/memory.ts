import { PushToken } from "@hearth/core/push"
import { describeTable } from "../memory/shape.ts"

/** The table of the devices of users. */
export const pushTokenShape = describeTable("push tokens", PushToken, {
  unique: [["token"]],
  parents: { app_user_id: "users" },
})
