import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { ReportRow } from "./queue-item.ts"
import { TrustLevel } from "./trust-level.ts"

/** What the user has reported. */
export const moderationReportsSection: TableSection = {
  name: "moderation_reports",
  owner: "app_user_id",
  key: ["id"],
  columns: describeColumns(ReportRow, ["id", "content_type", "content_id", "reason", "created_at"]),
}

/** How far the user is trusted. */
export const trustLevelsSection: TableSection = {
  name: "trust_levels",
  owner: "app_user_id",
  key: ["app_user_id"],
  columns: describeColumns(TrustLevel),
}
