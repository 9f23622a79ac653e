import { defineEntity, p } from "@mikro-orm/postgresql"
import { User } from "../users/entities.ts"

export const PushToken = defineEntity({
  name: "PushToken",
  tableName: "push_tokens",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").index(),
    platform: p.enum(["ios", "android", "web"] as const),
    provider: p.enum(["push_a", "push_b"] as const),
    token: p.text().unique(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
  },
})
