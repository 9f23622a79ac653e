import { Effect, Schema } from "effect"
import type { AuthDb } from "../auth/port.ts"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { StreaksDb } from "../streaks/port.ts"
import { readAdminUser } from "./admin-view.ts"
import type { UsersDb } from "./port.ts"

/** What a developer can change about a user. */
export const AdminUserChanges = Schema.Struct({ is_disabled: Schema.optionalKey(Schema.Boolean) }).annotate({
  identifier: "AdminUserChanges",
})

/** Disables a user, which revokes all sessions at once, or enables one again. Sessions stay revoked [B1]. */
export const makeDisable = ({
  clock,
  revocations,
  signals,
  tenants,
}: Pick<Ports<AuthDb & StreaksDb & UsersDb>, "clock" | "revocations" | "signals" | "tenants">) =>
  Effect.fn("users.disable")(function* (projectId: string, userId: string, changes: typeof AdminUserChanges.Type) {
    const change = tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const now = clock.now()
        const user = yield* orFail(db.users.lock(userId), NotFound)
        const { is_disabled = user.is_disabled } = changes
        if (is_disabled !== user.is_disabled) {
          yield* Effect.orDie(db.users.update(userId, { is_disabled, updated_at: now }))
        }
        if (is_disabled && !user.is_disabled) {
          yield* db.authSessions.families.revokeAll(userId, now)
          signals.emit({ name: "session_ended", by: "developer" })
        }
        return yield* readAdminUser(db, userId, now)
      }),
    )
    return yield* Effect.ensuring(change, revocations.announce([userId]))
  })
