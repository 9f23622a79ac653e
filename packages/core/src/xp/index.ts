export type { AwardedXp, AwardOptions, AwardXp } from "./award-xp.ts"
export { makeAwardXp, rankXpTopic } from "./award-xp.ts"
export { departXp } from "./departure.ts"
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
export type {
  XpDays,
  XpDb,
  XpEntries,
  XpLevels,
  XpRules,
  XpTotals,
} from "./port.ts"
export { NewXpLevels, NewXpRules, XpLevel, XpLevelList, XpRule, XpRuleList } from "./rule.ts"
export { xpEntriesSection } from "./sections.ts"
export { OwnXp, readXp, UserXp, XpAwarded, XpCursor, type XpPosition } from "./views.ts"
export { makeXpWork } from "./work.ts"
export { makeXp, XpAwardInput, XpAwardShape, type XpQuery } from "./xp.ts"
