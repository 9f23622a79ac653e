import type { ContentItem } from "./item.ts"

/** Whether a user sees an item: it is active and shown, or it is the user's own and only held [I6.3]. */
export const isVisible = (
  item: Pick<ContentItem, "is_active" | "moderation" | "owner_app_user_id">,
  userId: string,
): boolean => {
  if (!item.is_active) return false
  return item.moderation === "shown" || (item.moderation === "held" && item.owner_app_user_id === userId)
}
