import type { AnalyticsDb } from "@hearth/core/analytics"
import type { TenantFeature } from "../feature.ts"
import { makeActiveDays } from "./active-days.ts"
import { makeAnalytics } from "./analytics.ts"
import { ActiveDay, activeDays } from "./entities.ts"

/** Analytics in PostgreSQL: the table of active days, and the figures. */
export const analyticsFeature: TenantFeature<AnalyticsDb> = {
  tenant: {
    entities: [ActiveDay],
    steps: [activeDays],
    repositories: { activeDays: makeActiveDays, analytics: makeAnalytics },
  },
}
