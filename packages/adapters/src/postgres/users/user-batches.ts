import type { UserBatches, UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

type Id = Pick<UserRow, "id">

const idsOf = (rows: ReadonlyArray<Id>) => rows.map(({ id }) => id)

/** Operations on many users at once. */
export const makeUserBatches = (statements: Statements): UserBatches => ({
  lockMany: (ids) =>
    Effect.map(
      statements.rows<Id>(`select id from app_users where id = any($1::uuid[]) order by id for no key update`, [ids]),
      idsOf,
    ),
  // PostgreSQL writes a space after every colon and comma and no exponents, so its text is never shorter than compact JSON.
  mayExceed: (ids, changes, bytes) =>
    Effect.map(
      statements.rows<Id>(
        `select id from app_users
         where id = any($1::uuid[]) and octet_length((properties || $2::jsonb)::text) > $3`,
        [ids, JSON.stringify(changes), bytes],
      ),
      idsOf,
    ),
  propertiesOf: (ids) =>
    Effect.map(
      statements.rows<Pick<UserRow, "id" | "properties">>(
        `select id, properties from app_users where id = any($1::uuid[])`,
        [ids],
      ),
      (rows) => new Map(rows.map(({ id, properties }) => [id, properties])),
    ),
  mergeProperties: (ids, changes, at) =>
    Effect.asVoid(
      statements.rows(
        `update app_users set properties = properties || $2::jsonb, updated_at = $3 where id = any($1::uuid[])`,
        [ids, JSON.stringify(changes), at],
      ),
    ),
})
