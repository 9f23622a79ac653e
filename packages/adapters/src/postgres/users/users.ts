import type { EntitlementSummary } from "@hearth/core/entitlements"
import type { DatedContent } from "@hearth/core/moderation"
import { type Profile, ProfileRow, type UserRow, type Users } from "@hearth/core/users"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { opaque } from "../sql/opaque.ts"
import { makeTable } from "../sql/table.ts"
import { countActive } from "./count-active.ts"
import { makeUserBatches } from "./user-batches.ts"
import { pageMatching } from "./user-pages.ts"

type StoredProfile = ProfileRow & {
  /** Null where there are none. */
  readonly entitlements: ReadonlyArray<
    Omit<EntitlementSummary, "expiration_date"> & { readonly expiration_date: string | null }
  > | null
}

// Every column is parsed and described anew at each read, so only those are read that are shown.
const profileColumns = Object.keys(ProfileRow.fields).join(", ")

const profileOf = ({ entitlements, ...user }: StoredProfile): Profile => ({
  user,
  // JSON has no instants: they come as text.
  entitlements: (entitlements ?? []).map((entitlement) => ({
    ...entitlement,
    expiration_date: entitlement.expiration_date === null ? null : new Date(entitlement.expiration_date),
  })),
})

// "hear", "sign". Locks of this kind are known in one database only.
const lockSignUps = "select pg_advisory_xact_lock(1751474546, 1936287598)"

/** The users of a project. */
export const makeUsers = (statements: Statements, shape: TableShape): Users => {
  const columns = shape.columns.join(", ")
  const table = makeTable<UserRow>(statements, shape)
  return {
    ...table,
    // At every login with an email. In a transaction it goes out with the beginning, as the table's does.
    find: (where) =>
      statements.autocommit === null || typeof where.email !== "string" || Object.keys(where).length > 1
        ? table.find(where)
        : Effect.map(
            statements.lookUp<UserRow>("user-by-email", `select ${columns} from app_users where email = $1`, [
              where.email,
            ]),
            ([user]) => Option.fromNullishOr(user),
          ),
    ...makeUserBatches(statements),
    pageMatching: (filter, slice, after) => pageMatching(statements, shape, filter, slice, after),
    profile: (id) =>
      Effect.map(
        statements.lookUp<StoredProfile>(
          "profile",
          `select ${profileColumns}, (
             select json_agg(summary) from (
               select id, entitlement_id, is_active, expiration_date
               from user_entitlements where app_user_id = $1 order by entitlement_id
             ) as summary
           ) as entitlements
           from app_users where id = $1`,
          [id],
        ),
        ([stored]) => Option.map(Option.fromNullishOr(stored), profileOf),
      ),
    newest: (limit) =>
      statements.rows<DatedContent>(
        "select id, created_at from app_users order by first_seen_at desc, id desc limit $1",
        [limit],
      ),
    lockZones: (ids) =>
      Effect.map(
        statements.rows<Pick<UserRow, "id" | "timezone">>(
          `select id, timezone from app_users where id = any(${opaque("$1::uuid[]")}) order by id for no key update`,
          [ids],
        ),
        (rows) => new Map(rows.map(({ id, timezone }) => [id, timezone])),
      ),
    // Locks the rows in one order, so that two such calls cannot wait for each other; also those that do not change, so that
    // what locks some of them later in the transaction waits for nobody.
    seen: (users) =>
      statements.send(
        `with latest as (
           select id, max(at) as at from unnest($1::uuid[], $2::timestamptz[]) as seen (id, at) group by id
         ), known as materialized (
           select u.id, u.last_seen_at, latest.at from app_users u join latest using (id) order by u.id for no key update of u
         )
         update app_users u set last_seen_at = known.at from known where u.id = known.id and known.last_seen_at < known.at`,
        [users.map(({ id }) => id), users.map(({ at }) => at)],
      ),
    countActive: (since, until, atMost) => countActive(statements, since, until, atMost),
    lockSignUps: () => Effect.asVoid(statements.rows(lockSignUps)),
    hasLiveSession: (userId, familyId) =>
      Effect.map(
        statements.lookUp(
          "has-live-session",
          `select from app_user_session_families f join app_users u on u.id = f.owner_id
           where f.id = $2 and u.id = $1 and f.revoked_at is null and not u.is_disabled`,
          [userId, familyId],
        ),
        (rows) => rows.length > 0,
      ),
  }
}
