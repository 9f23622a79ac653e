import type { UserAchievements } from "@hearth/core/achievements"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, ownerOfKey, rowsOf } from "../memory/rows.ts"
import { memoryTable, pageOf, sorted } from "../memory/table.ts"
import { describedUsers } from "../segments/memory-described-users.ts"
import { userShape } from "../users/memory-shapes.ts"
import { revocationShape, userAchievementShape } from "./memory-shapes.ts"

const listClosed = (draft: Draft) => [
  ...rowsOf(draft, userAchievementShape).values(),
  ...rowsOf(draft, revocationShape).values(),
]

/** The users to whom an achievement is closed. */
const listClosedUsers = (draft: Draft, achievementId: string | null): ReadonlySet<string> =>
  new Set(
    listClosed(draft).flatMap(({ achievement_id, app_user_id }) =>
      achievement_id === achievementId ? [app_user_id] : [],
    ),
  )

/** What the users of a project have unlocked. */
export const memoryUserAchievements = (statements: Statements): UserAchievements => ({
  ...memoryTable(statements, userAchievementShape),
  insertMany: (rows) =>
    statements.change((draft) =>
      rows
        .toSorted((a, b) => (a.app_user_id + a.achievement_id < b.app_user_id + b.achievement_id ? -1 : 1))
        .filter((row) => ownerOfKey(draft, userAchievementShape, ["app_user_id", "achievement_id"], row) === undefined)
        .map((row) => insertRow(draft, userAchievementShape, row).id),
    ),
  listClosed: (userIds) =>
    statements.query((draft) => {
      const wanted = new Set(userIds)
      return listClosed(draft)
        .filter(({ app_user_id }) => wanted.has(app_user_id))
        .map(({ app_user_id, achievement_id }) => ({ app_user_id, achievement_id }))
    }),
  listCandidates: (achievementId, afterUserId, limit) =>
    statements.query((draft) => {
      const closed = listClosedUsers(draft, achievementId)
      return [...rowsOf(draft, userShape).values()]
        .map(({ id }) => id)
        .filter((id) => afterUserId === null || id > afterUserId)
        .toSorted()
        .slice(0, limit)
        .map((user_id) => ({ user_id, is_closed: closed.has(user_id) }))
    }),
  preview: (criteria, achievementId, now, sampleSize) =>
    statements.query((draft) => {
      const closed = listClosedUsers(draft, achievementId)
      const open = describedUsers(draft, criteria, now).filter(({ id }) => !closed.has(id))
      const latest = sorted(userShape, open, [["last_seen_at", "desc"]])
      const { rows, total } = pageOf(latest, { limit: sampleSize, offset: 0 })
      return { would_unlock: total, sample: rows.map(({ id }) => id) }
    }),
})
