import { Schema } from "effect"
import { Amount, Count, Name, Prose, partial, Timestamp, text, Uuid, withDefaults } from "../schema.ts"

const fields = {
  name: Name,
  description: Schema.NullOr(Prose),
  /** The name of the event that counts. */
  qualifying_event: text(1, 255),
  period: Schema.Literals(["daily", "weekly"]),
  /** Hours after the end of a period in which an event may still count for it. */
  grace_period_hours: Amount.check(Schema.isBetween({ minimum: 0, maximum: 8760 })),
  freeze_enabled: Schema.Boolean,
  /** The most freezes that a user can have. */
  max_freezes: Count.check(Schema.isBetween({ minimum: 0, maximum: 1000 })),
  /** One freeze is earned whenever the count reaches a multiple of this; null when freezes are not earned. */
  freezes_per_n_events: Schema.NullOr(Count.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
}

/** The definition of a streak in a project (spec: streak definition). */
export const StreakDefinition = Schema.Struct({ id: Uuid, ...fields, created_at: Timestamp }).annotate({
  identifier: "StreakDefinition",
})
export type StreakDefinition = typeof StreakDefinition.Type

/** The fields with which a streak definition is created. */
export const NewStreakDefinition = Schema.Struct(
  withDefaults(fields, {
    description: null,
    period: "daily",
    grace_period_hours: 0,
    freeze_enabled: false,
    max_freezes: 1,
    freezes_per_n_events: null,
  }),
).annotate({ identifier: "NewStreakDefinition" })
export type NewStreakDefinition = typeof NewStreakDefinition.Type

/** The fields of a streak definition that can be changed. Those left out stay. */
export const StreakDefinitionChanges = Schema.Struct(partial(fields)).annotate({
  identifier: "StreakDefinitionChanges",
})
export type StreakDefinitionChanges = typeof StreakDefinitionChanges.Type

/** The rules by which a definition counts, as text. Streaks that were counted by other rules are to be rebuilt. */
export const formatRules = (definition: StreakDefinition): string =>
  [
    definition.period,
    definition.grace_period_hours,
    definition.freeze_enabled,
    definition.max_freezes,
    definition.freezes_per_n_events ?? "none",
  ].join("/")
