import type { ContentDelivery, ContentItem, ContentLibrary, ContentScheduleRow } from "@hearth/core/content"
import { anId, builtAt, type Given } from "../builders.ts"

/** A library without a schema. */
export const aContentLibrary = (given: Given<ContentLibrary> = {}): ContentLibrary => ({
  ...{ id: anId(), name: "Library", description: null, content_schema: null },
  created_at: new Date(builtAt),
  ...given,
})

/** A developer's item, which everybody sees. */
export const aContentItem = (given: Given<ContentItem, "library_id">): ContentItem => ({
  ...{ id: anId(), title: null, body: "Body", media_url: null, category: null, tags: [], metadata: {} },
  ...{ is_premium: false, is_active: true, sort_order: 1, owner_app_user_id: null, moderation: "shown" },
  ...{ created_at: new Date(builtAt), updated_at: new Date(builtAt) },
  ...given,
})

/** A schedule that delivers daily and has delivered nothing. */
export const aContentSchedule = (given: Given<ContentScheduleRow, "library_id">): ContentScheduleRow => ({
  ...{ id: anId(), name: "Schedule", schedule_type: "daily_rotation", config: {}, is_active: true },
  ...{ config_key: `content_${anId()}`, looks_from: new Date(builtAt), last_tick_at: null },
  ...{ last_sort_order: null, last_item_id: null, round: 0 },
  ...{ created_at: new Date(builtAt), updated_at: new Date(builtAt) },
  ...given,
})

/** A delivery on demand. */
export const aContentDelivery = (given: Given<ContentDelivery, "schedule_id" | "item_id">): ContentDelivery => ({
  ...{ id: anId(), tick_at: null, round: 0, delivered_at: new Date(builtAt) },
  ...given,
})
