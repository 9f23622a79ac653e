import { BaseAddress } from "../environment/backing.ts"
import { optional } from "../environment/settings.ts"

/** Where pushes go, for server and worker [H4.2, F2]. */
export const pushSettings = {
  PUSH_A_URL: optional(
    "Where pushes through APNs go instead of Apple's servers: a proxy, or a server for tests; http:// is HTTP/2 without TLS.",
    BaseAddress,
    "https://apns-proxy.example",
  ),
  PUSH_B_URL: optional(
    "Where pushes through FCM go instead of Google's servers. Service accounts may have a token_uri there.",
    BaseAddress,
    "https://fcm-proxy.example",
  ),
}

/** Where pushes go instead of the providers' own servers: addresses without a slash at the end; null is the provider's own. */
export interface PushAddresses {
  readonly push_a: string | null
  readonly push_b: string | null
}
