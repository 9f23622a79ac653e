import type { IdempotencyDb, IdempotentAnswers, KeptAnswer } from "@hearth/core/idempotency"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import { IdempotentAnswer, idempotentAnswers } from "./entities.ts"

// Keys of which the hash is the same wait for each other, which is all that happens to them.
const lock = "select pg_advisory_xact_lock(hashtextextended($1, 0))"

// After the lock, so that it sees what the transaction that had it before has kept.
const find = "select input, data from idempotent_answers where scope = $1 and key = $2"

const keep = `
  insert into idempotent_answers (scope, key, input, data, app_user_id, created_at) values ($1, $2, $3, $4::jsonb, $5, $6)`

const makeAnswers = (statements: Statements): IdempotentAnswers => ({
  claim: ({ scope, key }) =>
    Effect.map(
      Effect.all(
        [
          statements.lock("lock-answer", lock, [JSON.stringify([scope, key])]),
          statements.lock<KeptAnswer>("find-answer", find, [scope, key]),
        ],
        { concurrency: statements.concurrency },
      ),
      ([, [kept]]) => Option.fromUndefinedOr(kept),
    ),
  keep: ({ scope, key }, { input, data }, owner, now) =>
    statements.send(keep, [scope, key, input, JSON.stringify(data), owner, now], "keep-answer"),
})

/** Answers of calls with an idempotency key in PostgreSQL. */
export const idempotencyFeature: TenantFeature<IdempotencyDb> = {
  tenant: {
    entities: [IdempotentAnswer],
    steps: [idempotentAnswers],
    repositories: { idempotentAnswers: makeAnswers },
  },
}
