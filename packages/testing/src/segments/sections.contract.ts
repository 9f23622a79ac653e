import type { TenantDb } from "@hearth/core"
import { segmentMembershipsSection } from "@hearth/core/segments"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import { awkwardInstant } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aSegment } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const ids = [anId(), anId()]
  yield* Effect.forEach(ids, (id) => db.segments.insert(aSegment({ id })))
  yield* db.segmentMembers.add(ids, [userId], awkwardInstant)
  const rows = ids.map((segment_id) => ({ segment_id, app_user_id: userId, is_manual: true, added_at: awkwardInstant }))
  return { userId, rows }
})

/** What a project promises about the segments in the file about a user. */
export const segmentMembershipsSectionContract = sectionContract(segmentMembershipsSection, write)
