import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

/** What a cause has given a user. */
export const GivenReward = defineEntity({
  name: "GivenReward",
  tableName: "given_rewards",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action").index(),
    cause: p.text().unique(),
    reward: p.json(),
    given_at: p.datetime(3),
  },
})

/** What was given for which cause. */
export const givenRewards = schemaStep("0014-rewards", [
  `create table given_rewards (
    id uuid primary key,
    app_user_id uuid not null constraint given_rewards_app_user_id_foreign references app_users on delete cascade,
    cause text not null constraint given_rewards_cause_unique unique,
    reward jsonb not null,
    given_at timestamptz(3) not null
  )`,
  "create index given_rewards_app_user_id_index on given_rewards (app_user_id)",
])
