import { Effect, Schema } from "effect"
import type { AuthDb } from "../auth/port.ts"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EntitlementsDb } from "../entitlements/port.ts"
import type { EventsDb } from "../events/port.ts"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Moderate } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import { partial, text } from "../schema.ts"
import type { StreaksDb } from "../streaks/port.ts"
import { rezone } from "../streaks/rezone.ts"
import { isTimeZone } from "../time/zones.ts"
import { lookUpAgain } from "../webhooks/resolve-waiting.ts"
import { readAdminUser } from "./admin-view.ts"
import { ExternalIdExists, InvalidTimezone } from "./failures.ts"
import type { UsersDb } from "./port.ts"
import { hasProfile, showProfile } from "./profile.ts"
import { ProfileChanges, type UserRow } from "./user.ts"

const { display_name, avatar_url, timezone } = ProfileChanges.fields

/** What a developer can change about a user [H2.2]. Keys that are left out keep their value; null clears. */
export const AdminUserChanges = Schema.Struct({
  ...partial({ is_disabled: Schema.Boolean, external_id: Schema.NullOr(text(1, 255)) }),
  ...{ display_name, avatar_url, timezone },
}).annotate({ identifier: "AdminUserChanges" })
export type AdminUserChanges = typeof AdminUserChanges.Type

type ChangedDb = AuthDb & BackgroundDb & EntitlementsDb & ModerationDb & StreaksDb & UsersDb

/**
 * Changes a user. Disabling revokes all sessions at once; enabling leaves them revoked [B1]. Unresolved webhooks that name a
 * new `external_id` are looked up again [H2.2]; another zone moves the deadlines of streaks.
 */
export const makeChangeUser = (
  { clock, revocations, signals, tenants }: Pick<Ports<ChangedDb>, "clock" | "revocations" | "signals" | "tenants">,
  background: Pick<Dispatcher<ChangedDb & EventsDb>, "transact">,
  moderate: Pick<Moderate<ChangedDb>, "noteChange">,
) => {
  const write = Effect.fnUntraced(function* (db: ChangedDb, user: UserRow, changes: AdminUserChanges, now: Date) {
    // What a developer says of name or picture is shown, and with it what was held [I6.3].
    const shown = hasProfile(changes) ? showProfile(user) : {}
    const isChanged = Object.entries(changes).some(([name, value]) => user[name as keyof AdminUserChanges] !== value)
    if (!isChanged && (user.held_profile === null || !hasProfile(changes))) return
    const written = { ...shown, ...changes, updated_at: now }
    yield* Effect.mapError(db.users.update(user.id, written), () => new ExternalIdExists())
    const { external_id = user.external_id, is_disabled = user.is_disabled, timezone = user.timezone } = changes
    if (is_disabled && !user.is_disabled) {
      yield* db.authSessions.families.revokeAll(user.id, now)
      signals.emit({ name: "session_ended", by: "developer" })
    }
    if (timezone !== user.timezone) yield* rezone(db, user, timezone, now)
    if (external_id !== null && external_id !== user.external_id) yield* lookUpAgain(db, external_id)
    if (hasProfile(changes)) yield* moderate.noteChange(db, "user", user.id)
  })

  return Effect.fn("users.change")(function* (projectId: string, userId: string, changes: AdminUserChanges) {
    if (typeof changes.timezone === "string" && !isTimeZone(changes.timezone)) return yield* new InvalidTimezone()
    const leavesWork = changes.timezone !== undefined || changes.external_id !== undefined
    const transact = leavesWork ? background.transact : tenants.transact
    const change = transact(
      projectId,
      Effect.fnUntraced(function* (db: ChangedDb) {
        const now = clock.now()
        const user = yield* orFail(db.users.lock(userId), NotFound)
        yield* write(db, user, changes, now)
        return yield* readAdminUser(db, userId, now)
      }),
    )
    return yield* Effect.ensuring(change, revocations.announce([userId]))
  })
}
