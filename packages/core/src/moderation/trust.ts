import { Effect, Option } from "effect"
import { type ListQuery, readList } from "../list-cursor.ts"
import type { Ports } from "../ports/ports.ts"
import { UserNotFound } from "../users/failures.ts"
import type { UsersDb } from "../users/port.ts"
import type { ModerationDb } from "./port.ts"
import type { TrustLevelInput } from "./trust-level.ts"

/** How far users are trusted [I6.4]. */
export const makeTrust = ({ clock, tenants }: Pick<Ports<ModerationDb & UsersDb>, "clock" | "tenants">) => ({
  /** Says how far a user is trusted, in place of what was said before [I6.4]. `USER_NOT_FOUND`. */
  save: Effect.fn("trust.save")(function* (projectId: string, input: TrustLevelInput) {
    return yield* tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        // Not shared: of two calls for one user the second one waits.
        if (Option.isNone(yield* db.users.lock(input.app_user_id))) return yield* new UserNotFound()
        const trust = { ...input, updated_at: clock.now() }
        yield* db.trustLevels.save(trust)
        return trust
      }),
    )
  }),

  /** How far users are trusted, with the users, the latest changed first [I6.4]. */
  list: (projectId: string, query: ListQuery) =>
    tenants.read(projectId, ({ trustLevels }) =>
      readList(query, {
        page: (slice) => trustLevels.page(slice),
        after: (place, slice) => trustLevels.listAfter(place, slice),
        place: ({ updated_at, app_user_id }) => ({ at: updated_at, id: app_user_id }),
      }),
    ),
})
