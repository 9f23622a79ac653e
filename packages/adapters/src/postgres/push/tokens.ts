import type { PushToken, PushTokens } from "@hearth/core/push"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"
import { tokenKeySql } from "./entities.ts"

const lockForUser = `
  select from push_tokens
  where (app_user_id = $1 and is_active) or (${tokenKeySql("token")} = ${tokenKeySql("$2::text")})
  order by id for no key update`

const limitActive = `
  update push_tokens set is_active = false, deactivated_at = $3, deactivated_reason = $4
  where id in (
    select id from push_tokens where app_user_id = $1 and is_active
    order by id = $5 desc, registered_at desc, id desc offset $2
  )`

const deactivateAll = `
  with locked as materialized (
    select id from push_tokens where app_user_id = $1 and is_active order by id for no key update
  )
  update push_tokens t set is_active = false, deactivated_at = $2, deactivated_reason = $3
  from locked where t.id = locked.id`

const forget = `
  delete from push_tokens
  where ${tokenKeySql("token")} = ${tokenKeySql("$2::text")} and token = $2 and app_user_id = $1`

/** The devices of users in PostgreSQL. */
export const makePushTokens = (statements: Statements, shape: TableShape): PushTokens => {
  const { columns } = shape
  const register = `
    insert into push_tokens (${columns.join(", ")}) values (${columns.map((_, at) => `$${at + 1}`).join(", ")})
    on conflict ((${tokenKeySql("token")})) do update set
      ${columns
        .filter((column) => column !== "id" && column !== "created_at")
        .map((column) => `${column} = excluded.${column}`)
        .join(", ")}
    returning ${columns.join(", ")}`
  const table = makeTable<PushToken>(statements, {
    ...shape,
    uniqueKeys: new Map([...shape.uniqueKeys, ["push_tokens_token_unique", ["token"]]]),
  })
  return {
    ...table,
    lockForUser: (userId, token) => Effect.asVoid(statements.rows(lockForUser, [userId, token])),
    register: (device) =>
      Effect.flatMap(
        statements.rows<PushToken>(
          register,
          columns.map((column) => device[column as keyof PushToken]),
        ),
        ([row]) => (row === undefined ? Effect.die(new Error("The device was not written.")) : Effect.succeed(row)),
      ),
    limitActive: ({ id, app_user_id }, keep, at, reason) =>
      Effect.asVoid(statements.rows(limitActive, [app_user_id, keep, at, reason, id])),
    deactivateAll: (userId, at, reason) => Effect.asVoid(statements.rows(deactivateAll, [userId, at, reason])),
    forget: (userId, token) => Effect.asVoid(statements.rows(forget, [userId, token])),
    latestActive: (userId) =>
      Effect.map(
        statements.rows<PushToken>(
          `select ${columns.join(", ")} from push_tokens where app_user_id = $1 and is_active
           order by registered_at desc, id desc limit 1`,
          [userId],
        ),
        ([row]) => Option.fromNullishOr(row),
      ),
  }
}
