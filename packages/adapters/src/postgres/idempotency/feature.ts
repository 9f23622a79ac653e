import type { IdempotencyDb, IdempotentAnswers, KeptAnswer } from "@hearth/core/idempotency"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import { IdempotentAnswer, idempotentAnswers } from "./entities.ts"

// A key that another transaction has inserted is waited for: it is there once that commits, and free once that rolls back.
const claim = `
  insert into idempotent_answers (scope, key, input, created_at) values ($1, $2, $3, $4)
  on conflict (scope, key) do nothing returning true as is_claimed`

const find = "select input, data from idempotent_answers where scope = $1 and key = $2"

const keep = "update idempotent_answers set data = $3::jsonb, app_user_id = $4 where scope = $1 and key = $2"

const makeAnswers = (statements: Statements): IdempotentAnswers => ({
  claim: Effect.fnUntraced(function* ({ scope, key }, input, now) {
    for (;;) {
      const claimed = yield* statements.prepared("claim-answer", claim, [scope, key, input, now])
      if (claimed.length === 1) return Option.none<KeptAnswer>()
      const [kept] = yield* statements.rows<KeptAnswer>(find, [scope, key])
      // It may have gone with its user in between.
      if (kept !== undefined) return Option.some(kept)
    }
  }),
  keep: ({ scope, key }, data, owner) =>
    statements.send(keep, [scope, key, JSON.stringify(data), owner], "keep-answer"),
})

/** Answers of calls with an idempotency key in PostgreSQL. */
export const idempotencyFeature: TenantFeature<IdempotencyDb> = {
  tenant: {
    entities: [IdempotentAnswer],
    steps: [idempotentAnswers],
    repositories: { idempotentAnswers: makeAnswers },
  },
}
