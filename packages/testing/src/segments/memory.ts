import type { RuleGroup, Segment, Segments } from "@hearth/core/segments"
import { Effect, Option } from "effect"
import { keep } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { columnOf, insertRow, lockRows, removeRow, replaceRow } from "../memory/rows.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"
import { readUsers } from "../users/memory-batches.ts"
import { userShape } from "../users/memory-shapes.ts"
import { describedUsers } from "./memory-described-users.ts"
import { membershipShape, segmentShape } from "./memory-shapes.ts"

type Evaluated = Pick<Segment, "id" | "rules">

const evaluated = (draft: Draft, { id, rules }: Evaluated, parsed: RuleGroup, now: Date): number | null => {
  const described = new Set(describedUsers(draft, parsed, now).map((user) => user.id))
  const present = select(draft, membershipShape, { segment_id: id })
  const members = new Set(present.map((member) => member.app_user_id))
  const leaving = present.filter((member) => !member.is_manual && !described.has(member.app_user_id))
  const entering = [...described].filter((userId) => !members.has(userId))
  const users = readUsers(draft, [...entering, ...leaving.map((member) => member.app_user_id)])
  lockRows(draft, userShape, users, "key share")
  const [segment] = lockRows(draft, segmentShape, select(draft, segmentShape, { id }))
  if (segment === undefined || JSON.stringify(segment.rules) !== JSON.stringify(rules)) return null
  const segment_id = segment.id
  for (const member of leaving) removeRow(draft, membershipShape, member)
  for (const app_user_id of entering) {
    const membership = { id: `${segment_id}/${app_user_id}`, segment_id, app_user_id, is_manual: false, added_at: now }
    insertRow(draft, membershipShape, membership)
  }
  const user_count = select(draft, membershipShape, { segment_id }).length
  replaceRow(draft, segmentShape, segment, { ...segment, user_count, last_evaluated_at: now })
  return user_count
}

/** The segments of a project, and their members. */
export const memorySegments = (statements: Statements): Segments => ({
  ...memoryTable(statements, segmentShape),
  lockEvaluation: (id) =>
    statements.query((draft) => {
      const key = `evaluation of segment ${keep(columnOf(segmentShape, "id"), id)}`
      const isFree = draft.canLock(key, "update")
      if (isFree) draft.lock(key, "update")
      return isFree
    }),
  evaluate: (segment, rules, now) => statements.change((draft) => evaluated(draft, segment, rules, now)),
  preview: (rules, now, sampleSize) =>
    statements.query((draft) => {
      const described = sorted(userShape, describedUsers(draft, rules, now), [["last_seen_at", "desc"]])
      const { rows, total } = pageOf(described, { limit: sampleSize, offset: 0 })
      return { user_count: total, sample: rows }
    }),
  membership: (segment_id, app_user_id) =>
    statements
      .query((draft) => {
        const [found] = select(draft, membershipShape, { segment_id, app_user_id })
        if (found === undefined) return undefined
        const { id: _, ...membership } = found
        return membership
      })
      .pipe(Effect.map(Option.fromUndefinedOr)),
})
