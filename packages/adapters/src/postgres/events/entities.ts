import { defineEntity, p } from "@mikro-orm/core"
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
    cause_key: p.text().nullable(),
    plane: p.text().nullable(),
  },
  uniques: [{ properties: ["cause_key"], where: "cause_key is not null" }],
  indexes: [
    { properties: ["app_user_id", "occurred_at", "id"] },
    { properties: ["app_user_id", "event_name", "occurred_at"] },
    { properties: ["occurred_at", "id"] },
    { properties: ["event_name", "occurred_at", "id"] },
  ],
})
