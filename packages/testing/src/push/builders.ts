import type { PushAccount, PushCampaign, PushDelivery, PushToken } from "@hearth/core/push"
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
    registered_at: new Date(builtAt),
    deactivated_at: null,
    deactivated_reason: null,
    ...given,
  }
}

/** A campaign to all users that nobody has scheduled. */
export const aPushCampaign = (given: Given<PushCampaign> = {}): PushCampaign => ({
  id: anId(),
  name: "Sale",
  title: "Sale!",
  body: "Everything is cheap.",
  data: {},
  options: {},
  segment_id: null,
  delivery_mode: "absolute",
  local_date: null,
  local_time: null,
  status: "draft",
  scheduled_at: null,
  started_at: null,
  sent_at: null,
  error: null,
  scheduled_for: null,
  created_at: new Date(builtAt),
  updated_at: new Date(builtAt),
  ...given,
})

/** An account of APNs whose key signs nothing. */
export const anApnsAccount = (
  given: Partial<Extract<PushAccount, { readonly provider: "push_a" }>> = {},
): Extract<PushAccount, { readonly provider: "push_a" }> => ({
  provider: "push_a",
  project_id: anId(),
  version: "1",
  team_id: "TEAM000001",
  key_id: "KEY0000001",
  private_key: "none",
  topic: "com.example.app",
  environment: "production",
  ...given,
})

/** A delivery that waits since its campaign began. */
export const aPushDelivery = (given: Given<PushDelivery, "app_user_id" | "campaign_id">): PushDelivery => ({
  id: anId(),
  push_token_id: anId(),
  provider: "push_a",
  status: "pending",
  error: null,
  fire_at: new Date(builtAt),
  try_at: new Date(builtAt),
  tries: 0,
  claimed_at: null,
  sent_at: null,
  delivered_at: null,
  opened_at: null,
  ...given,
})
