import type { PushToken } from "@hearth/core/push"
import { anId, builtAt, type Given } from "../builders.ts"

/** An active push token of a user's iOS device. */
export const aPushToken = (given: Given<PushToken, "app_user_id">): PushToken => {
  const id = anId()
  return {
    id,
    platform: "ios",
    provider: "push_a",
    token: `token-${id}`,
    is_active: true,
    created_at: new Date(builtAt),
    ...given,
  }
}
