import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

/** What a call with an idempotency key was answered. Data and owner are null only until its transaction ends. */
export const IdempotentAnswer = defineEntity({
  name: "IdempotentAnswer",
  tableName: "idempotent_answers",
  properties: {
    scope: p.text().primary(),
    key: p.text().primary(),
    input: p.text(),
    data: p.json().nullable(),
    app_user_id: () => p.manyToOne(User).mapToPk().nullable().deleteRule("cascade").updateRule("no action").index(),
    created_at: p.datetime(3),
  },
})

/** The answers of calls with an idempotency key. */
export const idempotentAnswers = schemaStep("0011-idempotent-answers", [
  `create table idempotent_answers (
    scope text not null,
    key text not null,
    input text not null,
    data jsonb,
    app_user_id uuid constraint idempotent_answers_app_user_id_foreign references app_users on delete cascade,
    created_at timestamptz(3) not null,
    primary key (scope, key)
  )`,
  "create index idempotent_answers_app_user_id_index on idempotent_answers (app_user_id)",
])
