import type { XpDb } from "@hearth/core/xp"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { xpDaysContract, xpEntriesContract, xpSettingsContract, xpTotalsContract } from "./contract.ts"
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
import { xpReaction } from "./reaction.ts"
import { xpEntries, xpEntriesSectionContract } from "./tables.ts"

/** XP in tests: tables and repositories in memory, contract suites. */
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
    contracts: [
      (open) => tableContract(open, xpEntries),
      xpEntriesContract,
      xpTotalsContract,
      xpDaysContract,
      xpSettingsContract,
      xpEntriesSectionContract,
      (open) => reactionContract(open, xpReaction),
    ],
  },
}
