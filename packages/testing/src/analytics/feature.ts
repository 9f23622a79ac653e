import type { AnalyticsDb } from "@hearth/core/analytics"
import type { TenantFeature } from "../feature.ts"
import { day, fields, instant, keepList, limit, orNull, uuid } from "../memory/arguments.ts"
import { activeDayShape, memoryActiveDays, memoryAnalytics } from "./memory.ts"

const days = fields({ first: day, last: day })
const range = fields({ since: instant, until: instant })

/** Analytics in tests: the table and the figures in memory. */
export const analyticsFeature: TenantFeature<AnalyticsDb> = {
  tenant: {
    shapes: [activeDayShape],
    rules: {
      activeDays: {
        add: [keepList(fields({ app_user_id: uuid, day }))],
        addFromEvents: [orNull(uuid), limit],
      },
      analytics: {
        sessions: [range, instant],
        activeByDay: [days],
        activeUsers: [days, day],
        newByDay: [range],
        cohortSizes: [range],
        cohortActivity: [range],
      },
    },
    make: ({ statements }) => ({
      activeDays: memoryActiveDays(statements),
      analytics: memoryAnalytics(statements),
    }),
  },
}
