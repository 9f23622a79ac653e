import { Schema } from "effect"
import { Name, Prose, Timestamp, text, Uuid, withDefault } from "../schema.ts"

const GraceHours = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 8760 }))
const Freezes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))
const EveryN = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
const EventName = text(1, 255)
const StreakPeriod = Schema.Literals(["daily", "weekly"])

/** What counts as a streak in a project (spec: streak definition). */
export const StreakDefinition = Schema.Struct({
  id: Uuid,
  name: Name,
  description: Schema.NullOr(Prose),
  /** The name of the event that counts. */
  qualifying_event: EventName,
  period: StreakPeriod,
  /** Hours after the end of a period in which an event may still count for it. */
  grace_period_hours: GraceHours,
  freeze_enabled: Schema.Boolean,
  /** How many freezes a user can hold. */
  max_freezes: Freezes,
  /** One freeze is earned whenever the running count reaches a multiple of this; null where freezes are not earned. */
  freezes_per_n_events: Schema.NullOr(EveryN),
  created_at: Timestamp,
}).annotate({ identifier: "StreakDefinition" })
export type StreakDefinition = typeof StreakDefinition.Type

/** The fields with which a streak is defined. */
export const NewStreakDefinition = Schema.Struct({
  name: Name,
  description: withDefault(Schema.NullOr(Prose), null),
  qualifying_event: EventName,
  period: withDefault(StreakPeriod, "daily"),
  grace_period_hours: withDefault(GraceHours, 0),
  freeze_enabled: withDefault(Schema.Boolean, false),
  max_freezes: withDefault(Freezes, 1),
  freezes_per_n_events: withDefault(Schema.NullOr(EveryN), null),
}).annotate({ identifier: "NewStreakDefinition" })
export type NewStreakDefinition = typeof NewStreakDefinition.Type

/** The fields of a streak definition that can be changed; those left out stay. */
export const StreakDefinitionChanges = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Schema.NullOr(Prose)),
  qualifying_event: Schema.optionalKey(EventName),
  period: Schema.optionalKey(StreakPeriod),
  grace_period_hours: Schema.optionalKey(GraceHours),
  freeze_enabled: Schema.optionalKey(Schema.Boolean),
  max_freezes: Schema.optionalKey(Freezes),
  freezes_per_n_events: Schema.optionalKey(Schema.NullOr(EveryN)),
}).annotate({ identifier: "StreakDefinitionChanges" })
export type StreakDefinitionChanges = typeof StreakDefinitionChanges.Type
