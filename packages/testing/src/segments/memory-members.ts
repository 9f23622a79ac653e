import type { SegmentMembers, SegmentRow } from "@hearth/core/segments"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRows, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { select } from "../memory/table.ts"
import { membershipShape, segmentShape } from "./memory-shapes.ts"

const pairs = (segmentIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>) =>
  keepIds(segmentIds).flatMap((segment_id) => keepIds(userIds).map((app_user_id) => ({ segment_id, app_user_id })))

const idOf = ({ segment_id, app_user_id }: { readonly segment_id: string; readonly app_user_id: string }) =>
  `${segment_id}/${app_user_id}`

const count = (draft: Draft, segmentId: string, by: number) => {
  const segment = rowsOf(draft, segmentShape).get(segmentId) as SegmentRow
  replaceRow(draft, segmentShape, segment, { ...segment, user_count: segment.user_count + by })
}

/** Members of segments that are added and removed by hand. */
export const memorySegmentMembers = (statements: Statements): SegmentMembers => ({
  lockSegments: (ids) =>
    statements.query((draft) =>
      keepIds(ids).flatMap((id) =>
        lockRows(draft, segmentShape, select(draft, segmentShape, { id })).map(({ is_system }) => ({ id, is_system })),
      ),
    ),
  add: (segmentIds, userIds, at) =>
    statements.change((draft) => {
      for (const pair of pairs(segmentIds, userIds)) {
        const present = rowsOf(draft, membershipShape).get(idOf(pair))
        if (present === undefined) {
          insertRow(draft, membershipShape, { ...pair, id: idOf(pair), is_manual: true, added_at: at })
          count(draft, pair.segment_id, 1)
        } else {
          replaceRow(draft, membershipShape, present, { ...present, is_manual: true })
        }
      }
    }),
  remove: (segmentIds, userIds) =>
    statements.change((draft) => {
      for (const pair of pairs(segmentIds, userIds)) {
        const present = rowsOf(draft, membershipShape).get(idOf(pair))
        if (present === undefined) continue
        removeRow(draft, membershipShape, present)
        count(draft, pair.segment_id, -1)
      }
    }),
})
