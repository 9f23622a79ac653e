import { defineEntity, p } from "@mikro-orm/postgresql"
import { User } from "../users/entities.ts"

export const EngagementEvent = defineEntity({
  name: "EngagementEvent",
  tableName: "engagement_events",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade"),
    event_name: p.text(),
    properties: p.json(),
    occurred_at: p.datetime(3),
    external_id: p.text().nullable().unique(),
  },
  indexes: [
    { properties: ["app_user_id", "occurred_at", "id"] },
    { properties: ["occurred_at", "id"] },
    { properties: ["event_name", "occurred_at", "id"] },
  ],
})

/** What is to be handled once. Events are named in the order of writing. */
export const OutboxEntry = defineEntity({
  name: "OutboxEntry",
  tableName: "outbox",
  properties: {
    id: p.bigint("string").primary().generated("by default as identity"),
    topic: p.enum(["events", "streak-definition"] as const),
    event_ids: p.array().columnType("uuid[]"),
    subject: p.json().nullable(),
    created_at: p.datetime(3),
  },
})
