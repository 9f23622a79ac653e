import type { Clock } from "../ports/clock.ts"
import type { Departure } from "../users/departure.ts"
import type { GroupsDb } from "./port.ts"

// So many groups are handed over in one transaction.
const piece = 500

/** A user who goes leaves all groups; owned ones pass on [I2.6]. */
export const makeDepartFromGroups =
  ({ clock }: { readonly clock: Clock }): Departure<GroupsDb> =>
  (db, userId) =>
    db.groups.depart(userId, clock.now(), piece)
