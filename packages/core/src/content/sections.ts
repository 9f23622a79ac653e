import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { ContentItem } from "./item.ts"

/** The items that the user has written. */
export const contentItemsSection: TableSection = {
  name: "content_items",
  owner: "owner_app_user_id",
  key: ["id"],
  large: "body",
  columns: describeColumns(ContentItem),
}
