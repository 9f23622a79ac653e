import type { EntitlementSummary, Profile, UserRow, Users } from "@hearth/core"
import { Effect, Option } from "effect"
import type { TableShape } from "./schema.ts"
import type { Statements } from "./statements.ts"
import { makeTable } from "./table.ts"

type StoredProfile = UserRow & {
  readonly entitlements: ReadonlyArray<
    Omit<EntitlementSummary, "expiration_date"> & { readonly expiration_date: string | null }
  >
}

const profileOf = ({ entitlements, ...user }: StoredProfile): Profile => ({
  user,
  // JSON has no instants.
  entitlements: entitlements.map((entitlement) => ({
    ...entitlement,
    expiration_date: entitlement.expiration_date === null ? null : new Date(entitlement.expiration_date),
  })),
})

/** The users of a project. */
export const makeUsers = (statements: Statements, shape: TableShape): Users => {
  const columns = shape.columns.join(", ")
  return {
    ...makeTable<UserRow>(statements, shape),
    lock: (id) =>
      Effect.map(
        statements.rows<UserRow>(`select ${columns} from app_users where id = $1 for no key update`, [id]),
        ([user]) => Option.fromNullishOr(user),
      ),
    profile: (id) =>
      Effect.map(
        statements.prepared<StoredProfile>(
          "profile",
          `select ${columns}, (
             select coalesce(json_agg(summary order by entitlement_id), '[]') from (
               select id, entitlement_id, is_active, expiration_date
               from user_entitlements where app_user_id = app_users.id
             ) as summary
           ) as entitlements
           from app_users where id = $1`,
          [id],
        ),
        ([stored]) => Option.map(Option.fromNullishOr(stored), profileOf),
      ),
    zones: (ids) =>
      Effect.map(
        statements.rows<Pick<UserRow, "id" | "timezone">>(
          `select id, timezone from app_users where id = any($1::uuid[])`,
          [ids],
        ),
        (rows) => new Map(rows.map(({ id, timezone }) => [id, timezone])),
      ),
    // The rows are locked in one order, so that two of these at once cannot wait for each other.
    seen: (users) =>
      Effect.asVoid(
        statements.rows(
          `with latest as (
             select id, max(at) as at from unnest($1::uuid[], $2::timestamptz[]) as seen (id, at) group by id
           ), behind as (
             select u.id, latest.at from app_users u join latest using (id)
             where u.last_seen_at < latest.at order by u.id for no key update of u
           )
           update app_users u set last_seen_at = behind.at from behind where u.id = behind.id`,
          [users.map(({ id }) => id), users.map(({ at }) => at.toISOString())],
        ),
      ),
    hasLiveSession: (userId, familyId) =>
      Effect.map(
        statements.prepared(
          "has-live-session",
          `select from app_user_session_families f join app_users u on u.id = f.owner_id
           where f.id = $2 and u.id = $1 and f.revoked_at is null and not u.is_disabled`,
          [userId, familyId],
        ),
        (rows) => rows.length > 0,
      ),
  }
}
