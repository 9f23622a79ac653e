import type { LiveDb } from "@hearth/core/live"
import type { TenantFeature } from "../feature.ts"
import { memoryLive } from "./memory.ts"

/** What is new, in tests. */
export const liveFeature: TenantFeature<LiveDb> = {
  tenant: { shapes: [], make: ({ statements }) => ({ live: memoryLive(statements) }) },
}
