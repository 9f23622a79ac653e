import type { AnalyticsDb } from "@hearth/core/analytics"
import type { TenantFeature } from "../feature.ts"
import { activeDayShape, memoryActiveDays, memoryAnalytics } from "./memory.ts"

/** Analytics in tests: the table and the figures in memory. */
export const analyticsFeature: TenantFeature<AnalyticsDb> = {
  tenant: {
    shapes: [activeDayShape],
    make: ({ statements }) => ({
      activeDays: memoryActiveDays(statements),
      analytics: memoryAnalytics(statements),
    }),
  },
}
