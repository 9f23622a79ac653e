import { Effect, Option } from "effect"
import type { ModeratedContent } from "../moderation/content.ts"
import type { Departure } from "../users/departure.ts"
import type { ContentItem } from "./item.ts"
import type { ContentDb } from "./port.ts"
import { readTexts } from "./texts.ts"
import { isVisible } from "./visible.ts"

const mostReleased = 500

const submit = (item: ContentItem) => ({
  ...{ content_type: "content_item" as const, content_id: item.id, app_user_id: item.owner_app_user_id },
  ...readTexts(item),
})

const change = (db: ContentDb, id: string, changes: Partial<ContentItem>) =>
  Effect.asVoid(Effect.orDie(db.contentItems.update(id, changes)))

/** Items, as moderators and rules see them [I6.2, I6.3]. A rejected item is inactive; approving it later makes it active again. */
export const moderatedItems: ModeratedContent<ContentDb> = {
  content_type: "content_item",
  find: (db, id, { lock }) =>
    Effect.map(lock ? db.contentItems.lock(id) : db.contentItems.find({ id }), (found) => {
      const item = Option.getOrNull(found)
      return item === null ? null : { ...submit(item), state: item.moderation }
    }),
  isVisibleTo: (db, id, userId) =>
    Effect.map(
      db.contentItems.find({ id }),
      Option.exists((item) => isVisible(item, userId)),
    ),
  show: Effect.fnUntraced(function* (db, id, at) {
    const rejected = yield* db.contentItems.find({ id, moderation: "rejected" })
    const active = Option.isSome(rejected) ? { is_active: true } : {}
    yield* change(db, id, { ...active, moderation: "shown", updated_at: at })
  }),
  hide: (db, id, at) => change(db, id, { is_active: false, moderation: "rejected", updated_at: at }),
  newest: (db, limit) => db.contentItems.newestOfUsers(limit),
}

/** The items of a user who goes stay, and are nobody's [I0.4]. */
export const releaseItems: Departure<ContentDb> = (db, userId) =>
  Effect.map(db.contentItems.release(userId, mostReleased), (released) => released === mostReleased)
