import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

/** The UTC days on which users were active. */
export const ActiveDay = defineEntity({
  name: "ActiveDay",
  tableName: "user_active_days",
  properties: {
    app_user_id: () => p.manyToOne(User).mapToPk().primary().deleteRule("cascade").updateRule("no action"),
    day: p.date().primary(),
  },
  indexes: [{ properties: ["day", "app_user_id"] }],
})

/** The table of active days: the days of a user by its key, the users of a day by its index. */
export const activeDays = schemaStep("0023-active-days", [
  `create table user_active_days (
    app_user_id uuid not null constraint user_active_days_app_user_id_foreign references app_users on delete cascade,
    day date not null,
    primary key (app_user_id, day)
  )`,
  "create index user_active_days_day_app_user_id_index on user_active_days (day, app_user_id)",
])
