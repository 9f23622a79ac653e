import { Struct } from "effect"
import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { lapseMillis } from "./rules.ts"
import { TrackingSessionRow } from "./tracking-session.ts"

/** The sessions of the user. One that has lapsed has ended, as everywhere [H5.1]. */
export const trackingSessionsSection: TableSection = {
  name: "tracking_sessions",
  key: ["id"],
  columns: describeColumns({ fields: Struct.omit(TrackingSessionRow.fields, ["check_at"]) }),
  lapse: { ended: "ended_at", seen: "last_seen_at", millis: lapseMillis },
}
