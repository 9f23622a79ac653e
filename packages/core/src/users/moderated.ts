import { Effect, Option } from "effect"
import type { ModeratedContent } from "../moderation/content.ts"
import type { Ids } from "../ports/ids.ts"
import type { UsersDb } from "./port.ts"
import { blankProfile, readOwn, showProfile } from "./profile.ts"
import type { UserRow } from "./user.ts"

const describe = (user: UserRow) => {
  const { id, display_name, avatar_url, held_profile } = readOwn(user)
  return {
    ...{ content_type: "user" as const, content_id: id, app_user_id: id },
    ...{ texts: [display_name], shown_texts: [user.display_name], urls: [avatar_url] },
    state: held_profile === null ? ("shown" as const) : ("held" as const),
  }
}

/**
 * Users, as moderators and rules see them: name and picture [I6.3]. Rejecting makes a new name, so that nothing rejected is left, and
 * the next name of the user is judged as any other.
 */
export const makeModeratedUsers = (ids: Ids): ModeratedContent<UsersDb> => {
  const change = (db: UsersDb, id: string, changes: Partial<UserRow>) =>
    Effect.asVoid(Effect.orDie(db.users.update(id, changes)))
  return {
    content_type: "user",
    find: (db, id, { lock }) =>
      Effect.map(lock ? db.users.lock(id) : db.users.find({ id }), (found) =>
        Option.getOrNull(Option.map(found, describe)),
      ),
    isVisibleTo: (db, id) => Effect.map(db.users.find({ id }), Option.isSome),
    show: Effect.fnUntraced(function* (db, id, updated_at) {
      const user = Option.getOrNull(yield* db.users.find({ id }))
      if (user !== null && user.held_profile !== null) yield* change(db, id, { ...showProfile(user), updated_at })
    }),
    hide: (db, id, updated_at) => change(db, id, { ...blankProfile(ids), held_profile: null, updated_at }),
    newest: (db, limit) => db.users.newest(limit),
  }
}
