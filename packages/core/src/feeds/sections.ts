import { Struct } from "effect"
import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { FeedItemRow } from "./feed-item.ts"

/** The items of what the user did. */
export const feedItemsSection: TableSection = {
  name: "feed_items",
  owner: "actor_id",
  key: ["created_at", "id"],
  columns: describeColumns({
    fields: Struct.pick(FeedItemRow.fields, ["id", "actor_id", "action", "target_id", "created_at"]),
  }),
}
