import { defineEntity, p } from "@mikro-orm/postgresql"
import { User } from "../users/entities.ts"

export const Achievement = defineEntity({
  name: "Achievement",
  tableName: "achievements",
  properties: {
    id: p.uuid().primary(),
    key: p.text().unique(),
    name: p.text(),
    description: p.text().nullable(),
    icon_url: p.text().nullable(),
    xp_reward: p.integer().check("xp_reward >= 0"),
    criteria: p.json(),
    is_hidden: p.boolean(),
    sort_order: p.integer(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
  },
})

export const UserAchievement = defineEntity({
  name: "UserAchievement",
  tableName: "user_achievements",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade"),
    achievement_id: () => p.manyToOne(Achievement).mapToPk().deleteRule("cascade").index(),
    unlocked_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "achievement_id"] }],
})
