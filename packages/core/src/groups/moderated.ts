import { Effect, Option } from "effect"
import { readWhole } from "../list-cursor.ts"
import type { ModeratedContent, Submission } from "../moderation/content.ts"
import type { Slice } from "../ports/table.ts"
import type { GroupRow } from "./group.ts"
import { readTexts } from "./groups.ts"
import { findMember } from "./lock-group.ts"
import type { GroupsDb } from "./port.ts"
import { isOpen } from "./rules.ts"

const describe = (group: GroupRow): Submission => ({
  ...readTexts(group),
  ...{ content_type: "group", content_id: group.id, app_user_id: group.owner_id },
})

const newestFirst = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const

/** What moderation does with the names and descriptions of groups [I6.2, I6.3]. Their author is their owner. */
export const moderatedGroups: ModeratedContent<GroupsDb> = {
  content_type: "group",
  find: (db, id, { lock }) =>
    Effect.map(lock ? db.groups.lock(id) : db.groups.find({ id }), (found) =>
      Option.isNone(found) ? null : { ...describe(found.value), state: found.value.moderation },
    ),
  isVisibleTo: Effect.fnUntraced(function* (db, id, userId) {
    const group = yield* db.groups.find({ id })
    return Option.isSome(group) && (isOpen(group.value) || (yield* findMember(db, id, userId)) !== null)
  }),
  show: (db, id, at) => Effect.asVoid(Effect.orDie(db.groups.update(id, { moderation: "shown", updated_at: at }))),
  // Its members keep the group, without any of the texts that may have been the reason.
  hide: (db, id, at) =>
    Effect.asVoid(
      Effect.orDie(
        db.groups.update(id, {
          ...{ name: "Group", description: null, avatar_url: null, is_public: false },
          ...{ moderation: "rejected", updated_at: at },
        }),
      ),
    ),
  newest: (db, limit) => {
    const page = (slice: Slice) =>
      Effect.map(db.groups.page({}, newestFirst, slice), ({ rows, ...rest }) => ({
        ...rest,
        rows: rows.map(({ id, created_at }) => ({ id, created_at })),
      }))
    return Effect.map(readWhole({ limit, offset: 0 }, page), ({ rows }) => rows)
  },
}
