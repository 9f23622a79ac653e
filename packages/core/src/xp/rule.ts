import { Schema } from "effect"
import { batchNote } from "../background/batch-notes.ts"
import { columnKind } from "../columns.ts"
import { isPlatformEvent } from "../events/event-names.ts"
import { Count, Name, text, withDefaults } from "../schema.ts"

/** The most rules, and the most levels, of a project [G0.6, G2.2]. */
const maxXpRules = 1_000

/** A whole number that may pass 31 bits. A float of 64 bits holds it without loss. */
const wholeFrom = (minimum: number) =>
  Schema.Int.annotate(columnKind("amount")).check(Schema.isGreaterThanOrEqualTo(minimum))

/** What an event is worth [G2.1]. Unique: `event_name`. */
export const XpRule = Schema.Struct({
  event_name: text(1, 255),
  amount: Count.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  /** The most that a user gets from the rule on a day; null is no bound. */
  daily_cap: Schema.NullOr(wholeFrom(1)),
}).annotate({ identifier: "XpRule" })
export type XpRule = typeof XpRule.Type

/** A level: its name, and the total from which on a user has it [G2.2]. Unique: `xp_required`. */
export const XpLevel = Schema.Struct({
  name: Name,
  /** 0 is everybody's. */
  xp_required: wholeFrom(0),
}).annotate({ identifier: "XpLevel" })
export type XpLevel = typeof XpLevel.Type

/** The levels of the project, as a batch was counted by them. */
export const xpLevelsNote = batchNote<ReadonlyArray<XpLevel>>("xp.levels")

const atMost = Schema.isMaxLength(maxXpRules)

/** The rules of a project, in the order in which they were given. */
export const XpRuleList = Schema.Struct({ rules: Schema.Array(XpRule) }).annotate({ identifier: "XpRuleList" })
export type XpRuleList = typeof XpRuleList.Type

const { event_name, ...worth } = XpRule.fields

/** Rules to replace those of a project [G2.1]: one per event name, none for what the platform writes [G0.1]. */
export const NewXpRules = Schema.Struct({
  rules: Schema.Array(
    Schema.Struct(
      withDefaults(
        {
          event_name: event_name.check(
            Schema.makeFilter((name: string) => !isPlatformEvent(name) || "must not be an event of the platform"),
          ),
          ...worth,
        },
        { daily_cap: null },
      ),
    ),
  ).check(
    atMost,
    Schema.makeFilter(
      (rules: ReadonlyArray<XpRule>) =>
        new Set(rules.map((rule) => rule.event_name)).size === rules.length || "must have one rule for an event_name",
    ),
  ),
}).annotate({ identifier: "NewXpRules" })

/** The levels of a project, by `xp_required`, ascending. */
export const XpLevelList = Schema.Struct({ levels: Schema.Array(XpLevel) }).annotate({ identifier: "XpLevelList" })
export type XpLevelList = typeof XpLevelList.Type

/** Levels to replace those of a project [G2.2]. */
export const NewXpLevels = Schema.Struct({
  levels: Schema.Array(XpLevel).check(
    atMost,
    Schema.makeFilter(
      (levels: ReadonlyArray<XpLevel>) =>
        levels.every((level, at) => at === 0 || level.xp_required > (levels[at - 1]?.xp_required ?? 0)) ||
        "must rise strictly by xp_required",
    ),
  ),
}).annotate({ identifier: "NewXpLevels" })
