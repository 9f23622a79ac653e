import type { TenantDb } from "@hearth/core"
import type { TrackingSessionRow } from "@hearth/core/tracking-sessions"
import { Effect } from "effect"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aTrackingSession } from "./builders.ts"

/** The table of tracking sessions. */
export const trackingSessions: TableCase<TenantDb, TrackingSessionRow> = {
  name: "tracking sessions",
  table: (db) => db.trackingSessions,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aTrackingSession({ ...given, app_user_id: given.app_user_id ?? (yield* writeUser(db)) })
  }),
  samples: [
    {
      ...{ session_id: awkwardText, platform: awkwardText, app_version: awkwardText, device_model: awkwardText },
      ...{ metadata: awkwardJson, started_at: earlyInstant, ended_at: lateInstant, duration_seconds: 2_147_483_647 },
      ...{ last_seen_at: awkwardInstant, check_at: lateInstant },
    },
    { platform: "", app_version: null, device_model: null, ended_at: null, duration_seconds: 0, metadata: {} },
  ],
  unique: [["app_user_id", "session_id"]],
  sorting: { column: "session_id", ascending: textsInOrder },
  nullable: { column: "ended_at", ascending: instantsInOrder },
}
