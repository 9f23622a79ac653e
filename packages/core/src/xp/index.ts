export { type AppliedAward, applyAwards, findLevels } from "./apply-awards.ts"
export { type AwardedXp, type AwardOptions, type AwardXp, makeAwardXp, rankXpTopic } from "./award-xp.ts"
export {
  maxXpAmount,
  maxXpTotal,
  type XpAward,
  XpDay,
  type XpDayKey,
  XpEntry,
  XpEntryView,
  XpSource,
  XpTotal,
  xpEntriesNote,
} from "./entry.ts"
export type { XpDays, XpDb, XpEntries, XpLevels, XpRules, XpTotals } from "./port.ts"
export { maxXpRules, XpLevel, XpRule } from "./rule.ts"
export { xpEntriesSection } from "./sections.ts"
