import { type RefreshToken, type SessionFamily, type SessionStore, spentDays } from "@hearth/core/auth"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

/** The values of a session and of its first refresh token, in the order of the columns. */
export const sessionValues = (family: SessionFamily, first: RefreshToken): ReadonlyArray<unknown> => [
  ...[family.id, family.owner_id, family.created_at, family.last_used_at, family.revoked_at],
  ...[first.id, first.family_id, first.token_hash, first.created_at, first.expires_at, first.revoked_at],
]

/** The tables of sessions and of their refresh tokens. */
export type SessionTables = Readonly<Record<"SessionFamily" | "RefreshToken", TableShape>>

/** Removes sessions of an owner that are of no use any more at an instant; both are expressions. */
export const removeSpent = ({ SessionFamily, RefreshToken }: SessionTables, owner: string, at: string) => `
  spent as (
    delete from ${SessionFamily.name} where id in (
      select id from ${SessionFamily.name} f
      where owner_id = ${owner} and last_used_at <= ${at} - interval '${spentDays} days'
        and not exists (select from ${RefreshToken.name} t where t.family_id = f.id and t.expires_at > ${at})
      limit 100 for update skip locked
    )
  )`

// Sessions of earlier releases have all that they ever had.
const mostExpired = 1_000

/** The sessions of users or of developers. */
export const makeSessions = (statements: Statements, tables: SessionTables): SessionStore => {
  const { SessionFamily, RefreshToken } = tables
  const columns = SessionFamily.columns.join(", ")
  return {
    families: {
      ...makeTable<SessionFamily>(statements, SessionFamily),
      listLive: (ownerId, now) =>
        statements.rows<SessionFamily>(
          `select ${columns} from ${SessionFamily.name} f
             where owner_id = $1 and revoked_at is null and exists (
               select from ${RefreshToken.name} t
               where t.family_id = f.id and t.revoked_at is null and t.expires_at > $2
             )
             order by last_used_at desc, id`,
          [ownerId, now],
        ),
      revokeAll: (ownerId, now) =>
        Effect.asVoid(
          statements.rows(
            `update ${SessionFamily.name} set revoked_at = $2 where owner_id = $1 and revoked_at is null`,
            [ownerId, now],
          ),
        ),
    },
    refreshTokens: {
      ...makeTable<RefreshToken>(statements, RefreshToken),
      removeExpired: (familyId, now) =>
        Effect.asVoid(
          statements.rows(
            `delete from ${RefreshToken.name} where id in (
               select id from ${RefreshToken.name} where family_id = $1 and expires_at <= $2 limit ${mostExpired}
             )`,
            [familyId, now],
          ),
        ),
    },
    begin: (family, first) =>
      Effect.asVoid(
        statements.prepared(
          `begin-${SessionFamily.name}`,
          `with family as (
             insert into ${SessionFamily.name} (id, owner_id, created_at, last_used_at, revoked_at)
             values ($1, $2::uuid, $3::timestamptz, $4, $5)
           ), ${removeSpent(tables, "$2::uuid", "$3::timestamptz")}
           insert into ${RefreshToken.name} (id, family_id, token_hash, created_at, expires_at, revoked_at)
           values ($6, $7, $8, $9, $10, $11)`,
          sessionValues(family, first),
        ),
      ),
  }
}
