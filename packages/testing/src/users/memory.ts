import { isActivity } from "@hearth/core/events"
import { ProfileRow, type UserFilter, type UserRow, type Users } from "@hearth/core/users"
import { Effect, Option, Struct } from "effect"
import { summariesOf } from "../entitlements/memory.ts"
import { eventShape } from "../events/memory.ts"
import { keep } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { columnOf, lockRows, replaceRow, rowsOf } from "../memory/rows.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"
import { membershipShape } from "../segments/memory-shapes.ts"
import { memoryUserBatches, readUsers } from "./memory-batches.ts"
import { contains } from "./memory-search.ts"
import { userSessionShapes, userShape } from "./memory-shapes.ts"

const shown = Struct.keys(ProfileRow.fields)

/** The users with a session begun or used, or an event that is activity, in `since` ≤ t < `until`. No session is used before it began. */
const activeUsers = (draft: Draft, since: Date, until: Date): ReadonlySet<string> => {
  const isWithin = (at: Date) => since <= at && at < until
  const sessions = [...rowsOf(draft, userSessionShapes.families).values()]
  const events = [...rowsOf(draft, eventShape).values()]
  return new Set([
    ...sessions.filter((one) => isWithin(one.last_used_at) || isWithin(one.created_at)).map((one) => one.owner_id),
    ...events.filter((one) => isWithin(one.occurred_at) && isActivity(one.event_name)).map((one) => one.app_user_id),
  ])
}

const matching = (draft: Draft, { search, segment_id, ids }: UserFilter): ReadonlyArray<UserRow> => {
  const has = search === null ? null : contains(keep(columnOf(userShape, "display_name"), search) as string)
  const members =
    segment_id === null
      ? null
      : new Set(select(draft, membershipShape, { segment_id }).map(({ app_user_id }) => app_user_id))
  return [...rowsOf(draft, userShape).values()].filter(
    ({ id, anonymous_id, email, external_id, display_name }) =>
      (has === null ||
        [email, external_id, display_name].some(has) ||
        anonymous_id === search ||
        id === search?.toLowerCase()) &&
      (members === null || members.has(id)) &&
      (ids === undefined || ids.includes(id)),
  )
}

/** The users of a project. */
export const memoryUsers = (statements: Statements): Users => ({
  ...memoryTable(statements, userShape),
  ...memoryUserBatches(statements),
  pageMatching: (filter, slice, after = null) =>
    statements.query((draft) => {
      const all = sorted(userShape, matching(draft, filter), [["last_seen_at", "desc"]])
      const isAfter = ({ last_seen_at, id }: UserRow) => {
        if (after === null) return true
        const distance = last_seen_at.getTime() - after.last_seen_at.getTime()
        return distance < 0 || (distance === 0 && id > after.id)
      }
      return { rows: pageOf(all.filter(isAfter), slice).rows, total: all.length }
    }),
  profile: (id) =>
    statements
      .query((draft) => {
        const [user] = select(draft, userShape, { id })
        if (user === undefined) return undefined
        return { user: Struct.pick(user, shown), entitlements: summariesOf(draft, id) }
      })
      .pipe(Effect.map(Option.fromUndefinedOr)),
  newest: (limit) =>
    statements.query((draft) => {
      const latest = [
        ["first_seen_at", "desc"],
        ["id", "desc"],
      ] as const
      const users = sorted(userShape, select(draft, userShape, {}), latest).slice(0, limit)
      return users.map(({ id, created_at }) => ({ id, created_at }))
    }),
  lockZones: (ids) =>
    statements.query((draft) => {
      const users = lockRows(draft, userShape, readUsers(draft, ids))
      return new Map(users.map((user) => [user.id, user.timezone]))
    }),
  seen: (users) =>
    statements.change((draft) => {
      const ids = users.map(({ id }) => id)
      lockRows(draft, userShape, readUsers(draft, ids))
      for (const { id, at } of users) {
        for (const user of select(draft, userShape, { id })) {
          if (at !== null && user.last_seen_at < at) replaceRow(draft, userShape, user, { ...user, last_seen_at: at })
        }
      }
    }),
  countActive: (since, until, atMost) =>
    statements.query((draft) => Math.min(activeUsers(draft, since, until).size, atMost)),
  lockSignUps: () => statements.change((draft) => draft.lock("sign-ups", "update")),
  hasLiveSession: (userId, familyId) =>
    statements.query((draft) => {
      const [family] = select(draft, userSessionShapes.families, { id: familyId, owner_id: userId, revoked_at: null })
      return family !== undefined && rowsOf(draft, userShape).get(family.owner_id)?.is_disabled === false
    }),
})
