import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { XpEntry } from "./entry.ts"

/** The XP that the user was given. */
export const xpEntriesSection: TableSection = {
  name: "xp_entries",
  key: ["created_at", "id"],
  columns: describeColumns(XpEntry, [
    "id",
    "app_user_id",
    "amount",
    "source",
    "reference_id",
    "occurred_at",
    "created_at",
  ]),
}
