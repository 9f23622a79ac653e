import { eventExportColumns } from "../exports/columns.ts"
import type { TableSection } from "../exports/section.ts"

/** The events of the user, the oldest first. */
export const engagementEventsSection: TableSection = {
  name: "engagement_events",
  key: ["occurred_at", "id"],
  columns: eventExportColumns,
}
