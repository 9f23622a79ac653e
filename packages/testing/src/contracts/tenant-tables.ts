import type {
  AccountLink,
  Entitlement,
  MagicLink,
  Segment,
  StreakDefinition,
  TenantDb,
  UserRow,
  UserStreak,
} from "@hearth/core"
import { Effect } from "effect"
import { aMagicLink, anAccountLink } from "../auth/builders.ts"
import { anId } from "../builders.ts"
import { anEntitlement } from "../entitlements/builders.ts"
import { aSegment } from "../segments/builders.ts"
import { aStreakDefinition, aUserStreak } from "../streaks/builders.ts"
import { aUser } from "../users/builders.ts"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "./awkward-values.ts"
import { familiesCase, refreshTokensCase } from "./control-tables.ts"
import type { TableCase } from "./table.contract.ts"

/** The id of a user who has just been written. */
export const writtenUser = (db: TenantDb) => {
  const user = aUser()
  return Effect.as(Effect.orDie(db.users.insert(user)), user.id)
}
const writtenDefinition = (db: TenantDb) => {
  const definition = aStreakDefinition()
  return Effect.as(Effect.orDie(db.streakDefinitions.insert(definition)), definition.id)
}

const users: TableCase<TenantDb, UserRow> = {
  name: "users",
  table: (db) => db.users,
  row: (_, given) =>
    Effect.sync(() => aUser({ email: `${anId()}@example.com`, external_id: `external-${anId()}`, ...given })),
  samples: [
    {
      display_name: awkwardText,
      auth_providers: [
        { provider: "idp_a", provider_id: awkwardText },
        { provider: "", provider_id: "" },
      ],
      properties: awkwardJson,
      first_seen_at: earlyInstant,
      last_seen_at: lateInstant,
      avatar_url: awkwardText,
      timezone: "America/Argentina/ComodRivadavia",
      password_hash: awkwardText,
      is_disabled: true,
      created_at: awkwardInstant,
      updated_at: lateInstant,
    },
    { email: awkwardText, anonymous_id: awkwardText, external_id: awkwardText },
    { email: null, external_id: null, avatar_url: null, timezone: null, password_hash: null, properties: {} },
    { email: "", external_id: "", avatar_url: "", timezone: "", password_hash: "" },
  ],
  unique: [["email"], ["external_id"], ["anonymous_id"]],
  sorting: { column: "display_name", ascending: textsInOrder },
  nullable: { column: "avatar_url", ascending: textsInOrder },
}

const accountLinks: TableCase<TenantDb, AccountLink> = {
  name: "account links",
  table: (db) => db.accountLinks,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return anAccountLink({ ...given, app_user_id: given.app_user_id ?? (yield* writtenUser(db)) })
  }),
  samples: [
    { provider: "idp_b", created_at: lateInstant },
    { provider: awkwardText, provider_id: awkwardText, created_at: awkwardInstant },
    { provider: "", provider_id: "", created_at: earlyInstant },
  ],
  unique: [["provider", "provider_id"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}

const magicLinks: TableCase<TenantDb, MagicLink> = {
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

const entitlements: TableCase<TenantDb, Entitlement> = {
  name: "entitlements",
  table: (db) => db.entitlements,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return anEntitlement({ ...given, app_user_id: given.app_user_id ?? (yield* writtenUser(db)) })
  }),
  samples: [
    {
      is_active: false,
      store: awkwardText,
      product_id: awkwardText,
      purchase_date: earlyInstant,
      expiration_date: lateInstant,
      period_type: awkwardText,
      raw_data: awkwardJson,
      updated_at: awkwardInstant,
    },
    { entitlement_id: awkwardText, store: null, product_id: null, purchase_date: null, expiration_date: null },
    { period_type: null, raw_data: {}, is_active: true },
  ],
  unique: [["app_user_id", "entitlement_id"]],
  sorting: { column: "updated_at", ascending: instantsInOrder },
  nullable: { column: "store", ascending: textsInOrder },
}

const segments: TableCase<TenantDb, Segment> = {
  name: "segments",
  table: (db) => db.segments,
  row: (_, given) => Effect.succeed(aSegment(given)),
  samples: [
    {
      name: awkwardText,
      description: awkwardText,
      rules: awkwardJson,
      is_system: true,
      user_count: 2_147_483_647,
      last_evaluated_at: awkwardInstant,
      created_at: earlyInstant,
    },
    { description: null, last_evaluated_at: null, user_count: 0, rules: {} },
    {
      description: "",
      rules: { operator: "NOT", conditions: [{ field: "properties.a.b", op: "not_in", value: [1, "1"] }] },
    },
  ],
  unique: [],
  sorting: { column: "name", ascending: textsInOrder },
  nullable: { column: "last_evaluated_at", ascending: instantsInOrder },
}

const streakDefinitions: TableCase<TenantDb, StreakDefinition> = {
  name: "streak definitions",
  table: (db) => db.streakDefinitions,
  row: (_, given) => Effect.succeed(aStreakDefinition(given)),
  samples: [
    {
      name: awkwardText,
      description: awkwardText,
      qualifying_event: awkwardText,
      period: "weekly",
      grace_period_hours: 0.1,
      freeze_enabled: true,
      max_freezes: 1000,
      freezes_per_n_events: 1_000_000,
      created_at: awkwardInstant,
    },
    { description: null, freezes_per_n_events: null, grace_period_hours: 8760, period: "daily" },
    { grace_period_hours: 1 / 3, max_freezes: 0 },
  ],
  unique: [],
  sorting: { column: "grace_period_hours", ascending: [0, 0.5, 1, 1.5, 9, 10, 8760] },
  nullable: { column: "description", ascending: textsInOrder },
}

const userStreaks: TableCase<TenantDb, UserStreak> = {
  name: "user streaks",
  table: (db) => db.userStreaks,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writtenUser(db))
    const streak_definition_id = given.streak_definition_id ?? (yield* writtenDefinition(db))
    return aUserStreak({ ...given, app_user_id, streak_definition_id })
  }),
  samples: [
    {
      current_count: 2_147_483_647,
      longest_count: 2_147_483_646,
      freezes_remaining: 1000,
      status: "frozen",
      last_period: "2024-02-29",
      settled_period: "9999-12-31",
      last_event_at: lateInstant,
      expires_at: awkwardInstant,
      updated_at: earlyInstant,
    },
    { last_period: null, settled_period: null, last_event_at: null, expires_at: null, status: "active" },
    { last_period: "0001-01-01", settled_period: "1969-12-31", status: "broken" },
  ],
  unique: [["app_user_id", "streak_definition_id"]],
  sorting: { column: "current_count", ascending: [0, 1, 9, 10, 100] },
  nullable: { column: "last_period", ascending: ["0001-01-01", "1999-12-31", "2026-01-01"] },
}

/** The tables of a project. */
export const tenantTables = {
  users,
  accountLinks,
  magicLinks,
  entitlements,
  segments,
  streakDefinitions,
  userStreaks,
  families: familiesCase<TenantDb>((db) => db.sessions.families, writtenUser),
  refreshTokens: refreshTokensCase<TenantDb>(
    (db) => db.sessions.refreshTokens,
    (db) => db.sessions.families,
    writtenUser,
  ),
}
