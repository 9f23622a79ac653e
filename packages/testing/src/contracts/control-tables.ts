import type {
  ApiKeyRow,
  ControlDb,
  DeveloperRow,
  MemberRow,
  ProjectRow,
  RefreshToken,
  SessionFamily,
} from "@hearth/core"
import { Effect } from "effect"
import { aRefreshToken, aSessionFamily } from "../auth/builders.ts"
import { aDeveloper, aMember, anApiKey, aProject } from "../projects/builders.ts"
import {
  awkwardInstant,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "./awkward-values.ts"
import type { TableCase } from "./table.contract.ts"

const written = {
  developer: (db: ControlDb) => {
    const developer = aDeveloper()
    return Effect.as(Effect.orDie(db.developers.insert(developer)), developer.id)
  },
  project: (db: ControlDb) => {
    const project = aProject()
    return Effect.as(Effect.orDie(db.projects.insert(project)), project.id)
  },
}

const developers: TableCase<ControlDb, DeveloperRow> = {
  name: "developers",
  table: (db) => db.developers,
  row: (_, given) => Effect.succeed(aDeveloper(given)),
  samples: [
    {
      name: awkwardText,
      oauth_providers: ["idp_a", awkwardText, ""],
      created_at: earlyInstant,
      updated_at: awkwardInstant,
      password_hash: awkwardText,
    },
    { email: `${"🦊".repeat(40)}@example.com`, name: null, oauth_providers: [], created_at: lateInstant },
  ],
  unique: [["email"]],
  sorting: { column: "password_hash", ascending: textsInOrder },
  nullable: { column: "name", ascending: textsInOrder },
}

const projects: TableCase<ControlDb, ProjectRow> = {
  name: "projects",
  table: (db) => db.projects,
  row: (_, given) => Effect.succeed(aProject(given)),
  samples: [
    {
      name: awkwardText,
      bundle_id: awkwardText,
      oauth_client_id: awkwardText,
      allowed_origins: ["https://app.example", awkwardText],
      mau_cap: 2_147_483_647,
      created_at: earlyInstant,
      updated_at: lateInstant,
      is_ready: false,
    },
    { bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null, created_at: awkwardInstant },
    { mau_cap: 0 },
  ],
  unique: [],
  sorting: { column: "name", ascending: textsInOrder },
  nullable: { column: "mau_cap", ascending: [0, 1, 9, 10, 2_147_483_647] },
}

const members: TableCase<ControlDb, MemberRow> = {
  name: "members",
  table: (db) => db.members,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const project_id = given.project_id ?? (yield* written.project(db))
    const developer_id = given.developer_id ?? (yield* written.developer(db))
    return aMember({ ...given, project_id, developer_id })
  }),
  samples: [
    { role: "viewer", created_at: earlyInstant },
    { role: "admin", created_at: lateInstant },
    { role: "owner" },
  ],
  unique: [["project_id", "developer_id"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}

const apiKeys: TableCase<ControlDb, ApiKeyRow> = {
  name: "api keys",
  table: (db) => db.apiKeys,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return anApiKey({ ...given, project_id: given.project_id ?? (yield* written.project(db)) })
  }),
  samples: [
    { name: awkwardText, created_at: earlyInstant },
    { name: null, key: awkwardText, created_at: lateInstant },
  ],
  unique: [["key"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "name", ascending: textsInOrder },
}

/** The table of session families of a plane, whose owners `owner` writes. */
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

/** The table of refresh tokens of a plane. */
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

/** The tables of the control plane. */
export const controlTables = {
  developers,
  projects,
  members,
  apiKeys,
  families: familiesCase<ControlDb>((db) => db.sessions.families, written.developer),
  refreshTokens: refreshTokensCase<ControlDb>(
    (db) => db.sessions.refreshTokens,
    (db) => db.sessions.families,
    written.developer,
  ),
}
