import type { XpDb } from "@hearth/core/xp"
import type { TenantFeature } from "../feature.ts"
import {
  memoryXpDays,
  memoryXpEntries,
  memoryXpLevels,
  memoryXpRules,
  memoryXpTotals,
  xpDayShape,
  xpEntryShape,
  xpLevelShape,
  xpRuleShape,
  xpTotalShape,
} from "./memory.ts"

/** XP in tests: tables and repositories in memory. */
export const xpFeature: TenantFeature<XpDb> = {
  tenant: {
    shapes: [xpEntryShape, xpTotalShape, xpDayShape, xpRuleShape, xpLevelShape],
    sections: { xp_entries: xpEntryShape },
    make: ({ statements }) => ({
      xpEntries: memoryXpEntries(statements),
      xpTotals: memoryXpTotals(statements),
      xpDays: memoryXpDays(statements),
      xpRules: memoryXpRules(statements),
      xpLevels: memoryXpLevels(statements),
    }),
  },
}
