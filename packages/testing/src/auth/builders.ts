import type { AccountLink, MagicLink, RefreshToken, SessionFamily } from "@hearth/core/auth"
import { anId, builtAt, type Given, makeId, nextNumber } from "../builders.ts"

/** A session of a developer or user that is not revoked. */
export const aSessionFamily = (given: Given<SessionFamily, "owner_id">): SessionFamily => ({
  id: anId(),
  created_at: new Date(builtAt),
  last_used_at: new Date(builtAt),
  revoked_at: null,
  ...given,
})

/** A live refresh token of a session that expires after 60 days. */
export const aRefreshToken = (given: Given<RefreshToken, "family_id">): RefreshToken => {
  const n = nextNumber()
  return {
    id: makeId(n),
    token_hash: n.toString(16).padStart(64, "0"),
    created_at: new Date(builtAt),
    expires_at: new Date("2026-03-02T00:00:00.000Z"),
    revoked_at: null,
    ...given,
  }
}

/** An identity of Apple's that signs a user in. */
export const anAccountLink = (given: Given<AccountLink, "app_user_id">): AccountLink => {
  const n = nextNumber()
  return { id: makeId(n), provider: "idp_a", provider_id: `subject-${n}`, created_at: new Date(builtAt), ...given }
}

/** A magic link that is not used and expires after 15 minutes. */
export const aMagicLink = (given: Given<MagicLink> = {}): MagicLink => {
  const n = nextNumber()
  return {
    id: makeId(n),
    email: `user-${n}@example.com`,
    token_hash: n.toString(16).padStart(64, "0"),
    created_at: new Date(builtAt),
    expires_at: new Date("2026-01-01T00:15:00.000Z"),
    used_at: null,
    ...given,
  }
}
