import type { TenantDb } from "@hearth/core"
import type { AccountLink, MagicLink, RefreshToken, SessionFamily } from "@hearth/core/auth"
import { Effect } from "effect"
import {
  awkwardInstant,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aMagicLink, anAccountLink, aRefreshToken, aSessionFamily } from "./builders.ts"

/** A table of session families, whose owners `owner` writes. */
export const familiesCase = <Db>(
  families: TableCase<Db, SessionFamily>["table"],
  owner: (db: Db) => Effect.Effect<string>,
): TableCase<Db, SessionFamily> => ({
  name: "session families",
  table: families,
  row: Effect.fnUntraced(function* (db: Db, given: Partial<SessionFamily> = {}) {
    return aSessionFamily({ ...given, owner_id: given.owner_id ?? (yield* owner(db)) })
  }),
  samples: [
    { created_at: earlyInstant, last_used_at: awkwardInstant, revoked_at: lateInstant },
    { created_at: awkwardInstant, last_used_at: lateInstant, revoked_at: null },
  ],
  unique: [],
  sorting: { column: "last_used_at", ascending: instantsInOrder },
  nullable: { column: "revoked_at", ascending: instantsInOrder },
})

/** A table of refresh tokens. */
export const refreshTokensCase = <Db>(
  refreshTokens: TableCase<Db, RefreshToken>["table"],
  families: TableCase<Db, SessionFamily>["table"],
  owner: (db: Db) => Effect.Effect<string>,
): TableCase<Db, RefreshToken> => ({
  name: "refresh tokens",
  table: refreshTokens,
  row: Effect.fnUntraced(function* (db: Db, given: Partial<RefreshToken> = {}) {
    if (given.family_id !== undefined) return aRefreshToken({ ...given, family_id: given.family_id })
    const family = aSessionFamily({ owner_id: yield* owner(db) })
    yield* Effect.orDie(families(db).insert(family))
    return aRefreshToken({ ...given, family_id: family.id })
  }),
  samples: [
    { created_at: earlyInstant, expires_at: lateInstant, revoked_at: awkwardInstant },
    { token_hash: awkwardText, created_at: awkwardInstant, revoked_at: null },
  ],
  unique: [],
  sorting: { column: "expires_at", ascending: instantsInOrder },
  nullable: { column: "revoked_at", ascending: instantsInOrder },
})

/** The table of the sessions of users. */
export const userFamilies = familiesCase<TenantDb>((db) => db.authSessions.families, writeUser)

/** The table of the refresh tokens of users. */
export const userRefreshTokens = refreshTokensCase<TenantDb>(
  (db) => db.authSessions.refreshTokens,
  (db) => db.authSessions.families,
  writeUser,
)

/** The table of the identities of users. */
export const accountLinks: TableCase<TenantDb, AccountLink> = {
  name: "account links",
  table: (db) => db.accountLinks,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return anAccountLink({ ...given, app_user_id: given.app_user_id ?? (yield* writeUser(db)) })
  }),
  samples: [
    { provider: "idp_b", created_at: lateInstant },
    { provider: awkwardText, provider_id: awkwardText, created_at: awkwardInstant },
    { provider: "", provider_id: "", created_at: earlyInstant },
  ],
  unique: [["provider", "provider_id"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}

/** The table of magic links. */
export const magicLinks: TableCase<TenantDb, MagicLink> = {
  name: "magic links",
  table: (db) => db.magicLinks,
  row: (_, given) => Effect.succeed(aMagicLink(given)),
  samples: [
    { email: awkwardText, created_at: earlyInstant, expires_at: lateInstant, used_at: awkwardInstant },
    { token_hash: awkwardText, created_at: awkwardInstant, used_at: null },
  ],
  unique: [["token_hash"]],
  sorting: { column: "email", ascending: textsInOrder },
  nullable: { column: "used_at", ascending: instantsInOrder },
}
