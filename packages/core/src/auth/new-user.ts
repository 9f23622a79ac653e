import { Option } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { UserRow } from "../users/user.ts"
import { displayName } from "./display-names.ts"

/** A new anonymous user. */
export const newUser = ({ clock, ids }: Pick<Ports, "clock" | "ids">): UserRow => {
  const now = clock.now()
  return {
    id: ids.uuid(),
    email: null,
    display_name: displayName(ids),
    anonymous_id: `anon_${ids.base62(24)}`,
    auth_providers: [],
    properties: {},
    first_seen_at: now,
    last_seen_at: now,
    external_id: null,
    avatar_url: null,
    timezone: null,
    password_hash: null,
    email_verified_at: null,
    is_disabled: false,
    held_profile: null,
    created_at: now,
    updated_at: now,
  }
}

/** Whether a user has no identity: no email and no provider. Only such a user can be upgraded. */
export const isAnonymous = (user: UserRow): boolean => user.email === null && user.auth_providers.length === 0

/** The user, or none when disabled: a disabled user cannot sign in [B1]. */
export const filterEnabled = (user: Option.Option<UserRow>): Option.Option<UserRow> =>
  Option.filter(user, ({ is_disabled }) => !is_disabled)
