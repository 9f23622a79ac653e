import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { InboxRow } from "./inbox-entry.ts"

/** The webhooks that concern a user, with what the provider sent. */
export const webhookInboxSection: TableSection = {
  name: "webhook_inbox",
  links: { table: "webhook_inbox_users", row: "inbox_id" },
  key: ["id"],
  columns: describeColumns(InboxRow, [
    ...(["id", "provider", "provider_event_id", "event_type", "provider_user_id"] as const),
    ...(["status", "error", "received_at", "processed_at", "payload"] as const),
  ]),
}
