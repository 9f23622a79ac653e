import { defineEntity, p } from "@mikro-orm/core"
import { EngagementEvent } from "../events/entities.ts"
import { schemaStep } from "../schema/migration.ts"

/** What an event did, where somebody has asked. */
export const EventEffect = defineEntity({
  name: "EventEffect",
  tableName: "event_effects",
  properties: {
    event_id: () => p.manyToOne(EngagementEvent).mapToPk().primary().deleteRule("cascade").updateRule("no action"),
    effects: p.json().nullable(),
    asked_at: p.datetime(3),
  },
  indexes: [{ properties: ["asked_at"] }],
})

/** What events did, of those that somebody has asked about [G9.1]. */
export const eventEffects = schemaStep("0019-event-effects", [
  `create table event_effects (
    event_id uuid not null primary key
      constraint event_effects_event_id_foreign references engagement_events on delete cascade,
    effects jsonb,
    asked_at timestamptz(3) not null
  )`,
  "create index event_effects_asked_at_index on event_effects (asked_at)",
])
