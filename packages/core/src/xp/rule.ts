import { Schema } from "effect"
import { columnKind } from "../columns.ts"
import { Count, Name, text } from "../schema.ts"

/** The most rules, and the most levels, of a project [G0.6, G2.2]. */
export const maxXpRules = 1_000

const positive = (maximum: number) => Count.check(Schema.isBetween({ minimum: 1, maximum }))

/** What an event is worth [G2.1]. Unique: `event_name`. */
export const XpRule = Schema.Struct({
  event_name: text(1, 255),
  amount: positive(1_000_000),
  /** The most that a user gets from the rule on a day; null is no bound. */
  daily_cap: Schema.NullOr(positive(2_147_483_647)),
}).annotate({ identifier: "XpRule" })
export type XpRule = typeof XpRule.Type

/** A level: its name, and the total from which on a user has it [G2.2]. Unique: `xp_required`. */
export const XpLevel = Schema.Struct({
  name: Name,
  xp_required: Schema.Int.annotate(columnKind("amount")).check(
    Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ),
}).annotate({ identifier: "XpLevel" })
export type XpLevel = typeof XpLevel.Type
