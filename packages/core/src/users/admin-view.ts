import { Effect, Schema, Struct } from "effect"
import { EntitlementSummary, endPast } from "../entitlements/entitlement.ts"
import type { EntitlementsDb } from "../entitlements/port.ts"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { StreaksDb } from "../streaks/port.ts"
import { readStreaks, readStreaksByUser, type StreakNow, UserStreakView } from "../streaks/views.ts"
import type { UsersDb } from "./port.ts"
import { EndUser, UserRow } from "./user.ts"

/** A user as developers see it (spec: admin views). */
export const AdminUser = Schema.Struct({
  ...EndUser.fields,
  ...Struct.pick(UserRow.fields, [
    "external_id",
    "avatar_url",
    "timezone",
    "created_at",
    "updated_at",
    "is_disabled",
    "email_verified_at",
  ]),
  streaks: Schema.Array(
    Schema.Struct({
      ...UserStreakView.fields,
      streak_definitions: Schema.Struct({ name: Schema.String, qualifying_event: Schema.String }),
    }),
  ),
  entitlements: Schema.Array(EntitlementSummary),
}).annotate({ identifier: "AdminUser" })

const makeView = (
  user: UserRow,
  entitlements: ReadonlyArray<EntitlementSummary>,
  streaks: ReadonlyArray<StreakNow>,
): typeof AdminUser.Type => ({
  ...user,
  entitlements,
  streaks: streaks.map(({ definition, streak }) => ({ ...streak, streak_definitions: definition })),
})

/** Reads a user with entitlements and with streaks as they are at `now`. */
export const readAdminUser = Effect.fnUntraced(function* (
  db: EntitlementsDb & StreaksDb & UsersDb,
  userId: string,
  now: Date,
) {
  const user = yield* orFail(db.users.find({ id: userId }), NotFound)
  const entitlements = yield* db.entitlements.ofUsers([userId])
  return makeView(user, endPast(entitlements.get(userId) ?? [], now), yield* readStreaks(db, user, now))
})

/** The same for many users, in their order. At most three statements for any number of users. */
export const readAdminUsers = Effect.fnUntraced(function* (
  db: EntitlementsDb & StreaksDb,
  users: ReadonlyArray<UserRow>,
  now: Date,
) {
  if (users.length === 0) return []
  const entitlements = yield* db.entitlements.ofUsers(users.map(({ id }) => id))
  const streaks = yield* readStreaksByUser(db, users, now)
  return users.map((user) => makeView(user, endPast(entitlements.get(user.id) ?? [], now), streaks.get(user.id) ?? []))
})
