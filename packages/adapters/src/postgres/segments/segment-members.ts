import type { Segment, SegmentMembers } from "@hearth/core/segments"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"

// The segments are locked, so no other call adds members meanwhile. Removing a user removes the memberships too.
const add = `
  with wanted as materialized (
    select distinct segment_id, app_user_id from unnest($1::uuid[]) segment_id cross join unnest($2::uuid[]) app_user_id
  ), kept as (
    update segment_memberships m set is_manual = true from wanted w
    where m.segment_id = w.segment_id and m.app_user_id = w.app_user_id and not m.is_manual
  ), added as (
    insert into segment_memberships (segment_id, app_user_id, is_manual, added_at)
    select segment_id, app_user_id, true, $3 from wanted order by segment_id, app_user_id
    on conflict (segment_id, app_user_id) do nothing returning segment_id
  )
  update segments s set user_count = user_count + came.users
  from (select segment_id, count(*) as users from added group by segment_id) came where s.id = came.segment_id`

const remove = `
  with gone as (
    delete from segment_memberships where segment_id = any($1::uuid[]) and app_user_id = any($2::uuid[])
    returning segment_id
  )
  update segments s set user_count = user_count - went.users
  from (select segment_id, count(*) as users from gone group by segment_id) went where s.id = went.segment_id`

/** Members of segments that are added and removed by hand. */
export const makeSegmentMembers = (statements: Statements): SegmentMembers => ({
  lockSegments: (ids) =>
    statements.rows<Pick<Segment, "id" | "is_system">>(
      `select id, is_system from segments where id = any($1::uuid[]) order by id for no key update`,
      [ids],
    ),
  add: (segmentIds, userIds, at) => Effect.asVoid(statements.rows(add, [segmentIds, userIds, at])),
  remove: (segmentIds, userIds) => Effect.asVoid(statements.rows(remove, [segmentIds, userIds])),
})
