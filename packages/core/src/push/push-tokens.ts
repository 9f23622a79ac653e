import { Effect } from "effect"
import { InvalidToken } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import type { PushDb } from "./port.ts"
import type { NewPushToken, PushToken } from "./push-token.ts"

/** How many active devices a user may have [H4.1]. */
const maxActiveDevices = 20

/** Why devices beyond that are inactive. */
const surplus = "TOO_MANY_DEVICES"

/** Devices, as their users register and forget them [D]. */
export const makePushTokens = ({
  clock,
  ids,
  tenants,
}: Pick<Ports<Pick<PushDb, "pushTokens"> & UsersDb>, "clock" | "ids" | "tenants">) => ({
  /**
   * Registers a device of the user, or the same one again: it is active, and this user's, whosesoever it was. Of more than 20 active ones
   * those registered longest ago become inactive [H4.1]. `INVALID_TOKEN` for a user who is gone.
   */
  register: Effect.fn("push.registerDevice")((projectId: string, userId: string, given: NewPushToken) => {
    const { token, platform, provider = platform === "ios" ? "push_a" : "push_b" } = given
    return tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.users.lock(userId), InvalidToken)
        const now = clock.now()
        const device: PushToken = {
          ...{ id: ids.uuid(), app_user_id: userId, platform, provider, token, is_active: true },
          ...{ created_at: now, registered_at: now, deactivated_at: null, deactivated_reason: null },
        }
        yield* db.pushTokens.lockForUser(userId, token)
        const registered = yield* db.pushTokens.register(device)
        yield* db.pushTokens.limitActive(registered, maxActiveDevices, now, surplus)
        return registered
      }),
    )
  }),

  /** Forgets a device of the user. Somebody else's stays as it is [H4.1]. `INVALID_TOKEN` for a user who is gone. */
  remove: Effect.fn("push.forgetDevice")((projectId: string, userId: string, token: string) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        yield* orFail(db.users.lock(userId, "key share"), InvalidToken)
        yield* db.pushTokens.forget(userId, token)
      }),
    ),
  ),
})
