import { maxXpTotal, type XpAward, type XpTotal } from "./entry.ts"
import type { XpLevel } from "./rule.ts"

/** An award with what it was cut to, the total after it, and the levels that it reached. */
export interface AppliedAward {
  readonly award: XpAward
  /** Not 0; below 0 where XP was taken. */
  readonly amount: number
  readonly total: number
  /** By `xp_required`, ascending. None where it was taken. */
  readonly levels: ReadonlyArray<XpLevel>
}

const cut = (total: number, amount: number): number => Math.min(Math.max(amount, -total), maxXpTotal - total)

/**
 * Applies awards in their order. Deductions are cut at 0, and what is cut to nothing is left out. Levels are reached above the
 * greatest total so far, each once, also those that are passed over [G2.3]. Awards of users without a total are left out.
 */
export const applyAwards = (
  totals: ReadonlyMap<string, XpTotal>,
  levels: ReadonlyArray<XpLevel>,
  awards: ReadonlyArray<XpAward>,
): { readonly applied: ReadonlyArray<AppliedAward>; readonly totals: ReadonlyArray<XpTotal> } => {
  const changed = new Map<string, XpTotal>()
  const applied: Array<AppliedAward> = []
  for (const award of awards) {
    const before = changed.get(award.app_user_id) ?? totals.get(award.app_user_id)
    if (before === undefined) continue
    const amount = cut(before.total, award.amount)
    if (amount === 0) continue
    const total = before.total + amount
    const highest_total = Math.max(before.highest_total, total)
    changed.set(award.app_user_id, { ...before, total, highest_total })
    // The usual award reaches none, and there may be 1,000 levels.
    const reached =
      highest_total === before.highest_total
        ? []
        : levels.filter(({ xp_required }) => xp_required > before.highest_total && xp_required <= highest_total)
    applied.push({ award, amount, total, levels: reached })
  }
  return { applied, totals: [...changed.values()] }
}

/** The level of a total, the last that it has reached, and the one after it; null where there is none [G2.4]. Levels ascend. */
export const findLevels = (levels: ReadonlyArray<XpLevel>, total: number) => {
  const at = levels.findLastIndex(({ xp_required }) => xp_required <= total)
  return { level: levels[at] ?? null, next_level: levels[at + 1] ?? null }
}
