import type { ContentItem, ContentLibrary } from "@hearth/core/content"
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
