import type { UserRow } from "@hearth/core/users"
import { builtAt, type Given, makeId, nextNumber } from "../builders.ts"

/** A user without an identity, in no time zone. */
export const aUser = (given: Given<UserRow> = {}): UserRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    email: null,
    display_name: `User ${n}`,
    anonymous_id: `anon_${n.toString().padStart(24, "0")}`,
    auth_providers: [],
    properties: {},
    first_seen_at: new Date(builtAt),
    last_seen_at: new Date(builtAt),
    external_id: null,
    avatar_url: null,
    timezone: null,
    password_hash: null,
    email_verified_at: null,
    held_profile: null,
    is_disabled: false,
    created_at: new Date(builtAt),
    updated_at: new Date(builtAt),
    ...given,
  }
}
