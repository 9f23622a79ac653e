import type { XpDb } from "@hearth/core/xp"
import type { TenantFeature } from "../feature.ts"
import { day, fields, keepList, limit, text, uuid } from "../memory/arguments.ts"
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
    rules: {
      xpEntries: {
        findCauses: [keepList(text)],
        newest: [uuid, limit],
        markRanked: [keepList(uuid)],
        removeSome: [uuid, limit],
      },
      xpTotals: { find: [uuid], findMany: [keepList(uuid)], lockMany: [keepList(uuid)] },
      xpDays: { list: [keepList(fields({ app_user_id: uuid, event_name: text, day }))] },
      xpRules: { listByName: [keepList(text)] },
    },
    make: ({ statements }) => ({
      xpEntries: memoryXpEntries(statements),
      xpTotals: memoryXpTotals(statements),
      xpDays: memoryXpDays(statements),
      xpRules: memoryXpRules(statements),
      xpLevels: memoryXpLevels(statements),
    }),
  },
}
