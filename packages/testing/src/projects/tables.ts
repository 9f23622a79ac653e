import type { ControlDb } from "@hearth/core"
import type { ApiKeyRow, DeveloperRow, MemberRow, ProjectRow } from "@hearth/core/projects"
import { Effect } from "effect"
import { familiesCase, refreshTokensCase } from "../auth/tables.ts"
import {
  awkwardInstant,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { aDeveloper, aMember, anApiKey, aProject } from "./builders.ts"

/** Writes a developer and answers the id. */
export const writeDeveloper = (db: Pick<ControlDb, "developers">) => {
  const developer = aDeveloper()
  return Effect.as(Effect.orDie(db.developers.insert(developer)), developer.id)
}

const writeProject = (db: Pick<ControlDb, "projects">) => {
  const project = aProject()
  return Effect.as(Effect.orDie(db.projects.insert(project)), project.id)
}

/** The table of developers. */
export const developers: TableCase<ControlDb, DeveloperRow> = {
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

/** The table of projects. */
export const projects: TableCase<ControlDb, ProjectRow> = {
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
      server_events: ["refund", awkwardText, ""],
      client_backdate_hours: 8760,
      limits: { reviews: { per_minute: 1, per_day: 1_000_000 }, media: {} },
      created_at: earlyInstant,
      updated_at: lateInstant,
      is_ready: false,
    },
    { bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null, created_at: awkwardInstant },
    { mau_cap: 0, server_events: [], client_backdate_hours: 1 },
  ],
  unique: [],
  refused: [{ client_backdate_hours: 0 }, { client_backdate_hours: 8761 }],
  sorting: { column: "name", ascending: textsInOrder },
  nullable: { column: "mau_cap", ascending: [0, 1, 9, 10, 2_147_483_647] },
}

/** The table of the members of projects. */
export const members: TableCase<ControlDb, MemberRow> = {
  name: "members",
  table: (db) => db.members,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const project_id = given.project_id ?? (yield* writeProject(db))
    const developer_id = given.developer_id ?? (yield* writeDeveloper(db))
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

/** The table of client keys. */
export const apiKeys: TableCase<ControlDb, ApiKeyRow> = {
  name: "api keys",
  table: (db) => db.apiKeys,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return anApiKey({ ...given, project_id: given.project_id ?? (yield* writeProject(db)) })
  }),
  samples: [
    { name: awkwardText, created_at: earlyInstant },
    { name: null, key: awkwardText, created_at: lateInstant },
  ],
  unique: [["key"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "name", ascending: textsInOrder },
}

/** The table of the sessions of developers. */
export const developerFamilies = familiesCase<ControlDb>((db) => db.sessions.families, writeDeveloper)

/** The table of the refresh tokens of developers. */
export const developerRefreshTokens = refreshTokensCase<ControlDb>(
  (db) => db.sessions.refreshTokens,
  (db) => db.sessions.families,
  writeDeveloper,
)
