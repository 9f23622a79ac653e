import { Effect } from "effect"
import type { ProjectTask } from "../background/work.ts"
import { lockPurses } from "../currencies/change-wallets.ts"
import type { CurrenciesDb } from "../currencies/port.ts"
import { toleranceMillis } from "../entitlements/entitlement.ts"
import type { EntitlementsDb } from "../entitlements/port.ts"
import { makeProviderGrants } from "../entitlements/provider-grants.ts"
import type { Ports } from "../ports/ports.ts"

const pieceSize = 500

/** Makes what was bought inactive after its end, or the end of grace, also when the provider never says that it has ended [E7]. */
export const makeSubscriptionExpiry = ({
  clock,
  ids,
}: Pick<Ports, "clock" | "ids">): ProjectTask<CurrenciesDb & EntitlementsDb> => {
  const grants = makeProviderGrants(ids)
  return {
    name: "subscriptions.expire",
    runNext: Effect.fnUntraced(function* (db) {
      const now = clock.now()
      const endedAt = new Date(now.getTime() - toleranceMillis)
      const keys = yield* db.entitlementSources.ended(endedAt, pieceSize)
      if (keys.length === 0) return false
      const users = yield* lockPurses(db, [...new Set(keys.map(({ app_user_id }) => app_user_id))])
      yield* grants.end(
        db,
        keys.filter(({ app_user_id }) => users.has(app_user_id)),
        endedAt,
        now,
      )
      return keys.length === pieceSize
    }),
    nextRunAt: (db) =>
      Effect.map(db.entitlementSources.nextEnd(), (end) =>
        end === null ? null : new Date(end.getTime() + toleranceMillis),
      ),
  }
}
