import { Schema } from "effect"
import { Recorded } from "../events/event.ts"
import { Count, Finite, Uuid } from "../schema.ts"
import { StreakStatus } from "../streaks/user-streak.ts"
import { XpLevel } from "../xp/rule.ts"

/** What an event did [G9.1]. What is before is as of before the batch that handled it, the rest as of after it. */
export const EventEffects = Schema.Struct({
  streaks: Schema.Array(
    Schema.Struct({
      streak_definition_id: Uuid,
      before: Count,
      after: Count,
      status: StreakStatus,
      freezes_used: Count,
    }),
  ),
  achievements: Schema.Array(Schema.Struct({ achievement_id: Uuid, key: Schema.String })),
  xp: Schema.Struct({
    /** What the event and the achievements gave. */
    awarded: Count,
    total: Count,
    level: Schema.NullOr(XpLevel),
  }),
  /** The active leaderboards whose present window it changed. */
  leaderboards: Schema.Array(Schema.Struct({ leaderboard_id: Uuid, score: Finite, rank: Schema.NullOr(Count) })),
}).annotate({ identifier: "EventEffects" })
export type EventEffects = typeof EventEffects.Type

/** How an event was recorded, with what it did where the call asked. */
export const RecordedEffects = Schema.Struct({
  ...Recorded.fields,
  /** Only where the call asked; null where it took too long, or is not known any more. */
  effects: Schema.optionalKey(Schema.NullOr(EventEffects)),
  /** Only where the call asked and the `event_id` existed. */
  replayed: Schema.optionalKey(Schema.Boolean),
}).annotate({ identifier: "RecordedEffects" })
export type RecordedEffects = typeof RecordedEffects.Type
