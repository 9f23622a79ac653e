import { JsonObject, Text, Timestamp, Uuid } from "@hearth/core"
import type { AnswerKey, IdempotencyDb, IdempotentAnswers } from "@hearth/core/idempotency"
import { Effect, Option, Schema } from "effect"
import type { TenantFeature } from "../feature.ts"
import type { Statements } from "../memory/database.ts"
import { insertRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { idempotentAnswersContract } from "./contract.ts"

const answerShape = describeTable(
  "idempotent answers",
  Schema.Struct({
    id: Text,
    scope: Text,
    key: Text,
    input: Text,
    data: Schema.NullOr(Schema.Union([JsonObject, Schema.Json])),
    app_user_id: Schema.NullOr(Uuid),
    created_at: Timestamp,
  }),
  { unique: [["scope", "key"]], parents: { app_user_id: "users" } },
)

const formatKey = ({ scope, key }: AnswerKey) => JSON.stringify([scope, key])

const memoryAnswers = (statements: Statements): IdempotentAnswers => ({
  claim: (name, input, now) =>
    Effect.map(
      statements.change((draft) => {
        const present = rowsOf(draft, answerShape).get(formatKey(name))
        if (present !== undefined) return { input: present.input, data: present.data }
        const row = { ...name, id: formatKey(name), input, data: null, app_user_id: null, created_at: now }
        insertRow(draft, answerShape, row)
        return undefined
      }),
      Option.fromUndefinedOr,
    ),
  keep: (name, data, owner) =>
    statements.change((draft) => {
      const claimed = rowsOf(draft, answerShape).get(formatKey(name))
      if (claimed !== undefined) replaceRow(draft, answerShape, claimed, { ...claimed, data, app_user_id: owner })
    }),
})

/** Answers of calls with an idempotency key in tests. */
export const idempotencyFeature: TenantFeature<IdempotencyDb> = {
  tenant: {
    shapes: [answerShape],
    make: ({ statements }) => ({ idempotentAnswers: memoryAnswers(statements) }),
    contracts: [idempotentAnswersContract],
  },
}
