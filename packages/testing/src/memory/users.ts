import type { Entitlement, Users } from "@hearth/core"
import { Effect, Option } from "effect"
import type { Draft, Statements } from "./database.ts"
import { eventShape } from "./events.ts"
import { replaceRow, rowsOf } from "./rows.ts"
import { lockRow, memoryTable, select, sorted } from "./table.ts"
import { entitlementShape, userSessionShapes, userShape } from "./user-shapes.ts"

const summaryOf = ({ id, entitlement_id, is_active, expiration_date }: Entitlement) => ({
  id,
  entitlement_id,
  is_active,
  expiration_date,
})

/** The users with a session begun or used, or an event, in `since` ≤ t < `until`. No session is used before it began. */
const activeUsers = (draft: Draft, since: Date, until: Date): ReadonlySet<string> => {
  const isWithin = (at: Date) => since <= at && at < until
  const sessions = [...rowsOf(draft, userSessionShapes.families).values()]
  const events = [...rowsOf(draft, eventShape).values()]
  return new Set([
    ...sessions.filter((one) => isWithin(one.last_used_at) || isWithin(one.created_at)).map((one) => one.owner_id),
    ...events.filter((one) => isWithin(one.occurred_at)).map((one) => one.app_user_id),
  ])
}

/** The users of a project. */
export const memoryUsers = (statements: Statements): Users => ({
  ...memoryTable(statements, userShape),
  lock: lockRow(statements, userShape),
  profile: (id) =>
    statements
      .query((draft) => {
        const [user] = select(draft, userShape, { id })
        if (user === undefined) return undefined
        const rows = select(draft, entitlementShape, { app_user_id: id })
        return { user, entitlements: sorted(entitlementShape, rows, [["entitlement_id", "asc"]]).map(summaryOf) }
      })
      .pipe(Effect.map(Option.fromUndefinedOr)),
  zones: (ids) =>
    statements.query((draft) => {
      const users = ids.flatMap((id) => select(draft, userShape, { id }))
      return new Map(users.map((user) => [user.id, user.timezone]))
    }),
  seen: (users) =>
    statements.change((draft) => {
      for (const { id, at } of users) {
        for (const user of select(draft, userShape, { id })) {
          if (user.last_seen_at < at) replaceRow(draft, userShape, user, { ...user, last_seen_at: at })
        }
      }
    }),
  countActive: (since, until, atMost) =>
    statements.query((draft) => Math.min(activeUsers(draft, since, until).size, atMost)),
  hasLiveSession: (userId, familyId) =>
    statements.query((draft) => {
      const [family] = select(draft, userSessionShapes.families, { id: familyId, owner_id: userId, revoked_at: null })
      return family !== undefined && rowsOf(draft, userShape).get(family.owner_id)?.is_disabled === false
    }),
})
