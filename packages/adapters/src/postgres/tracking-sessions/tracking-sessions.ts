import { TrackingSessionRow, type TrackingSessions } from "@hearth/core/tracking-sessions"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"

const rows = rowSet(TrackingSessionRow)
const columns = rows.columns.join(", ")

const insertNew = `
  insert into tracking_sessions (${columns}) select ${columns} from ${rows.from(1)}
  on conflict (app_user_id, session_id) do nothing returning id`

const lockOf = `
  select ${columns} from tracking_sessions where app_user_id = $1 and session_id = $2 for no key update`

// The users before their sessions, as everywhere: whoever removes one of them waits, or is waited for, in one direction. A
// session that has ended meanwhile is passed over.
const lockDue = `
  with due as materialized (
    select id, app_user_id from tracking_sessions where ended_at is null and check_at <= $1 order by check_at limit $2
  ), users as materialized (
    select id from app_users where id in (select app_user_id from due) order by id for key share
  )
  select ${columns} from tracking_sessions
  where id in (select id from due where (select count(*) from users) >= 0) and ended_at is null and check_at <= $1
  order by id for no key update`

const saveChecked = `
  update tracking_sessions s
  set ended_at = given.ended_at, duration_seconds = given.duration_seconds, check_at = given.check_at
  from ${rows.from(1)} where s.id = given.id`

const nextCheckAt = "select min(check_at) from tracking_sessions where ended_at is null"

/** The tracking sessions of a project. */
export const makeTrackingSessions = (statements: Statements, shape: TableShape): TrackingSessions => ({
  ...makeTable<TrackingSessionRow>(statements, shape),
  insertNew: (row) => Effect.map(statements.rows(insertNew, rows.values([row])), (written) => written.length > 0),
  lockOf: (userId, sessionId) =>
    Effect.map(statements.rows<TrackingSessionRow>(lockOf, [userId, sessionId]), ([row]) => Option.fromNullishOr(row)),
  lockDue: (now, limit) => statements.rows<TrackingSessionRow>(lockDue, [now, limit]),
  saveChecked: (checked) => Effect.asVoid(statements.rows(saveChecked, rows.values(checked))),
  nextCheckAt: () => statements.instant(nextCheckAt),
})
