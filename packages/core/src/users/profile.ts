import { Effect } from "effect"
import { displayName } from "../auth/display-names.ts"
import type { Findings, Moderate } from "../moderation/content.ts"
import type { Ids } from "../ports/ids.ts"
import type { ProfileRow, UserRow } from "./user.ts"

/** Name and picture of a user: what others see, and what rules of moderation read. */
export type PublicProfile = Pick<UserRow, "display_name" | "avatar_url">

/** Whether changes are of name or picture. */
export const hasProfile = (changes: Partial<PublicProfile>): boolean =>
  changes.display_name !== undefined || changes.avatar_url !== undefined

/** The user as the user sees it: with the name and picture that moderation holds, where it does. */
export const readOwn = <User extends ProfileRow>(user: User): User => ({ ...user, ...user.held_profile })

/** What makes a user's held name and picture those that others see. Nothing, where none are held. */
export const showProfile = ({ held_profile }: UserRow): Partial<UserRow> =>
  held_profile === null ? {} : { ...held_profile, held_profile: null }

/** A name made anew, and no picture: what others see of a user whose own are held or were rejected [I6.3]. */
export const blankProfile = (ids: Ids): PublicProfile => ({ display_name: displayName(ids), avatar_url: null })

const ofUser = (id: string) => ({ content_type: "user", content_id: id, app_user_id: id }) as const

/**
 * The further columns that a user's own change of name and picture leads to, after it has been queued where rules have found something. The
 * caller has locked the user. What is held stays so, also with a clean change; others see a name made anew meanwhile. What the user has
 * already is not queued again: a moderator may have approved it. Null where nothing is held.
 */
export const nameUser = Effect.fnUntraced(function* <Db>(
  db: Db,
  moderate: Pick<Moderate<Db>, "record">,
  ids: Ids,
  findings: Findings,
  user: UserRow,
  changes: Partial<PublicProfile>,
) {
  const before = user.held_profile === null ? "shown" : "held"
  const { display_name, avatar_url } = readOwn(user)
  const held_profile = {
    display_name: changes.display_name ?? display_name,
    avatar_url: changes.avatar_url === undefined ? avatar_url : changes.avatar_url,
  }
  const isSame = held_profile.display_name === display_name && held_profile.avatar_url === avatar_url
  const state = isSame ? before : yield* moderate.record(db, findings, ofUser(user.id), before)
  if (state === "shown") return null
  const seen = before === "held" ? user : blankProfile(ids)
  return { display_name: seen.display_name, avatar_url: seen.avatar_url, held_profile }
})
