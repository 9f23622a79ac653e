import { TrackingSessionRow, type TrackingSessions } from "@hearth/core/tracking-sessions"
import { Effect, Option } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, keepRow, lockRow, lockRows, ownerOfKey, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, select, sorted } from "../memory/table.ts"
import { readUsers } from "../users/memory-batches.ts"
import { userShape } from "../users/memory-shapes.ts"

/** The table of tracking sessions. */
export const trackingSessionShape = describeTable("tracking sessions", TrackingSessionRow, {
  unique: [["app_user_id", "session_id"]],
  parents: { app_user_id: userShape.name },
})

const openSessions = (draft: Draft) =>
  sorted(trackingSessionShape, select(draft, trackingSessionShape, { ended_at: null }), [["check_at", "asc"]])

const findDue = (draft: Draft, now: Date, limit: number) =>
  openSessions(draft)
    .filter(({ check_at }) => check_at <= now)
    .slice(0, limit)

/** The tracking sessions of a project. */
export const memoryTrackingSessions = (statements: Statements): TrackingSessions => ({
  ...memoryTable(statements, trackingSessionShape),
  insertNew: (given) =>
    statements.change((draft) => {
      const row = keepRow(trackingSessionShape, given)
      if (ownerOfKey(draft, trackingSessionShape, ["app_user_id", "session_id"], row) !== undefined) return false
      insertRow(draft, trackingSessionShape, row)
      return true
    }),
  lockOf: (app_user_id, session_id) =>
    Effect.map(
      statements.query(
        (draft) =>
          lockRows(draft, trackingSessionShape, select(draft, trackingSessionShape, { app_user_id, session_id }))[0],
      ),
      Option.fromUndefinedOr,
    ),
  lockDue: (now, limit) =>
    statements.query((draft) => {
      const due = findDue(draft, now, limit)
      lockRows(draft, userShape, readUsers(draft, [...new Set(due.map(({ app_user_id }) => app_user_id))]), "key share")
      const ids = due.map(({ id }) => id).toSorted()
      for (const id of ids) lockRow(draft, trackingSessionShape, id, "no key update")
      const rows = rowsOf(draft, trackingSessionShape)
      return ids
        .map((id) => rows.get(id))
        .filter((row) => row !== undefined)
        .filter(({ ended_at, check_at }) => ended_at === null && check_at <= now)
    }),
  saveChecked: (checked) =>
    statements.change((draft) => {
      for (const { id, ended_at, duration_seconds, check_at } of checked) {
        const present = rowsOf(draft, trackingSessionShape).get(id)
        if (present === undefined) continue
        replaceRow(draft, trackingSessionShape, present, { ...present, ended_at, duration_seconds, check_at })
      }
    }),
  nextCheckAt: () => statements.query((draft) => openSessions(draft)[0]?.check_at ?? null),
})
