import { Effect, Schema } from "effect"
import { EntitlementSummary } from "../entitlements/entitlement.ts"
import type { Tending } from "../events/tending.ts"
import { InvalidToken, NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports, TenantDb } from "../ports/index.ts"
import { Timestamp } from "../schema.ts"
import { rezone } from "../streaks/rezone.ts"
import { readStreaks, UserStreakView } from "../streaks/views.ts"
import { isTimeZone } from "../time/zones.ts"
import { InvalidTimezone, PropertiesTooLarge } from "./failures.ts"
import { maxPropertiesBytes, mergeProperties, propertiesBytes } from "./properties.ts"
import { EndUser, type ProfileChanges, type UserRow } from "./user.ts"

/** A user as developers see it (spec: admin views). */
export const AdminUser = Schema.Struct({
  ...EndUser.fields,
  external_id: Schema.NullOr(Schema.String),
  avatar_url: Schema.NullOr(Schema.String),
  timezone: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp,
  streaks: Schema.Array(
    Schema.Struct({
      ...UserStreakView.fields,
      streak_definitions: Schema.Struct({ name: Schema.String, qualifying_event: Schema.String }),
    }),
  ),
  entitlements: Schema.Array(EntitlementSummary),
}).annotate({ identifier: "AdminUser" })

const merged = (user: UserRow, changes: ProfileChanges) => {
  if (changes.properties === undefined) return Effect.succeed(user.properties)
  const properties = mergeProperties(user.properties, changes.properties)
  const bytes = propertiesBytes(properties)
  return bytes > maxPropertiesBytes
    ? Effect.fail(new PropertiesTooLarge({ max_bytes: maxPropertiesBytes, bytes }))
    : Effect.succeed(properties)
}

// The session of a user who is gone is not valid any more, even while it is still remembered as live.
const ownProfile = (db: TenantDb, userId: string) =>
  Effect.map(
    orFail(db.users.profile(userId), () => new InvalidToken()),
    ({ user, entitlements }) => ({ ...user, entitlements }),
  )

/** End users: their own view of themselves, and the developers' view of them. */
export const makeUsers = ({ clock, tenants }: Pick<Ports, "clock" | "tenants">, tending: Tending) => ({
  /** The user's own profile with the entitlements. */
  me: (projectId: string, userId: string) => tenants.read(projectId, (db) => ownProfile(db, userId)),

  /** Changes the fields that are given; `properties` are merged at the top level. */
  update: Effect.fn("users.update")(function* (projectId: string, userId: string, changes: ProfileChanges) {
    const { timezone } = changes
    if (typeof timezone === "string" && !isTimeZone(timezone)) return yield* new InvalidTimezone()
    yield* tending.mark(projectId)
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const user = yield* orFail(db.users.lock(userId), () => new InvalidToken())
        const properties = yield* merged(user, changes)
        if (Object.keys(changes).length > 0) {
          yield* Effect.orDie(db.users.update(userId, { ...changes, properties, updated_at: clock.now() }))
        }
        if (timezone !== undefined && timezone !== user.timezone) yield* rezone(db, user, timezone, clock.now())
        return yield* ownProfile(db, userId)
      }),
    )
  }),

  /** Removes the user with everything that is theirs. */
  remove: (projectId: string, userId: string) => tenants.transact(projectId, (db) => db.users.remove({ id: userId })),

  /** A user with streaks and entitlements. */
  get: Effect.fn("users.get")((projectId: string, userId: string) =>
    tenants.read(
      projectId,
      Effect.fnUntraced(function* (db) {
        const { user, entitlements } = yield* orFail(db.users.profile(userId), () => new NotFound())
        const streaks = yield* readStreaks(db, user, clock.now())
        return {
          ...user,
          entitlements,
          streaks: streaks.map(({ definition, streak }) => ({ ...streak, streak_definitions: definition })),
        }
      }),
    ),
  ),
})
