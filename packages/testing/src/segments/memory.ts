import type { RuleGroup, Segments } from "@hearth/core/segments"
import { Effect, Option } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"
import { describedUsers } from "./memory-described-users.ts"
import { membershipShape, segmentShape } from "./memory-shapes.ts"

const evaluated = (draft: Draft, id: string, rules: RuleGroup, now: Date): number => {
  const [segment] = select(draft, segmentShape, { id })
  if (segment === undefined) return 0
  const segment_id = segment.id
  const described = new Set(describedUsers(draft, rules, now).map((user) => user.id))
  for (const member of select(draft, membershipShape, { segment_id })) {
    if (!member.is_manual && !described.has(member.app_user_id)) removeRow(draft, membershipShape, member)
  }
  for (const app_user_id of described) {
    const membership = { id: `${segment_id}/${app_user_id}`, segment_id, app_user_id, is_manual: false, added_at: now }
    if (rowsOf(draft, membershipShape).get(membership.id) === undefined) insertRow(draft, membershipShape, membership)
  }
  const user_count = select(draft, membershipShape, { segment_id }).length
  replaceRow(draft, segmentShape, segment, { ...segment, user_count, last_evaluated_at: now })
  return user_count
}

/** The segments of a project, and their members. */
export const memorySegments = (statements: Statements): Segments => ({
  ...memoryTable(statements, segmentShape),
  evaluate: (id, rules, now) => statements.change((draft) => evaluated(draft, id, rules, now)),
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
