import { JsonObject, Text, Timestamp, Uuid } from "@hearth/core"
import type { AnswerKey, IdempotencyDb, IdempotentAnswers } from "@hearth/core/idempotency"
import { Effect, Option, Schema } from "effect"
import type { TenantFeature } from "../feature.ts"
import { fields, text } from "../memory/arguments.ts"
import type { Statements } from "../memory/database.ts"
import { insertRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"

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
  claim: (name) =>
    Effect.map(
      statements.change((draft) => {
        draft.lock(`idempotent answer ${formatKey(name)}`, "update")
        const kept = rowsOf(draft, answerShape).get(formatKey(name))
        return kept === undefined ? undefined : { input: kept.input, data: kept.data }
      }),
      Option.fromUndefinedOr,
    ),
  keep: (name, answer, app_user_id, created_at) =>
    statements.change((draft) => {
      insertRow(draft, answerShape, { ...name, id: formatKey(name), ...answer, app_user_id, created_at })
    }),
})

/** Answers of calls with an idempotency key in tests. */
export const idempotencyFeature: TenantFeature<IdempotencyDb> = {
  tenant: {
    shapes: [answerShape],
    rules: {
      idempotentAnswers: { claim: [fields({ scope: text, key: text })] },
    },
    make: ({ statements }) => ({ idempotentAnswers: memoryAnswers(statements) }),
  },
}
