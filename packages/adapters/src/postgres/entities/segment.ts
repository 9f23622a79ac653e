import { defineEntity, p } from "@mikro-orm/postgresql"

export const Segment = defineEntity({
  name: "Segment",
  tableName: "segments",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    description: p.text().nullable(),
    rules: p.json(),
    is_system: p.boolean(),
    user_count: p.integer().check("user_count >= 0"),
    last_evaluated_at: p.datetime(3).nullable(),
    created_at: p.datetime(3),
  },
})
