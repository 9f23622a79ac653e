import type { XpDb } from "@hearth/core/xp"
import type { TenantFeature } from "../feature.ts"
import { XpDay, XpEntry, XpLevel, XpRule, XpTotal, xpLedger } from "./entities.ts"
import { makeXpDays, makeXpEntries, makeXpTotals } from "./ledger.ts"
import { makeXpLevels, makeXpRules } from "./settings.ts"

/** XP in PostgreSQL: tables and repositories. */
export const xpFeature: TenantFeature<XpDb> = {
  tenant: {
    entities: [XpEntry, XpTotal, XpDay, XpRule, XpLevel],
    steps: [xpLedger],
    repositories: {
      xpEntries: (statements, shapes) => makeXpEntries(statements, shapes(XpEntry)),
      xpTotals: makeXpTotals,
      xpDays: makeXpDays,
      xpRules: makeXpRules,
      xpLevels: makeXpLevels,
    },
  },
}
