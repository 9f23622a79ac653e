import type { AnalyticsDb } from "@hearth/core/analytics"
import { reactionContract } from "../contracts/reaction.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { activeDaysContract } from "./active-days.contract.ts"
import { figuresContract } from "./figures.contract.ts"
import { activeDayShape, memoryActiveDays, memoryAnalytics } from "./memory.ts"
import { analyticsReaction } from "./reaction.ts"
import { sessionFiguresContract } from "./session-figures.contract.ts"

/** Analytics in tests: the table and the figures in memory, contract suites. */
export const analyticsFeature: TenantFeature<AnalyticsDb> = {
  tenant: {
    shapes: [activeDayShape],
    make: ({ statements }) => ({
      activeDays: memoryActiveDays(statements),
      analytics: memoryAnalytics(statements),
    }),
    contracts: [
      activeDaysContract,
      sessionFiguresContract,
      figuresContract,
      (open) => reactionContract(open, analyticsReaction),
    ],
  },
}
