import type {
  ListedTrustLevel,
  ModerationDb,
  ModerationRuleRow,
  ModerationRules,
  TrustLevels,
  TrustLevel as TrustRow,
} from "@hearth/core/moderation"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"
import {
  ModerationQueueItem,
  ModerationReport,
  ModerationRule,
  moderation,
  moderationQueueByAuthor,
  TrustLevel,
} from "./entities.ts"
import { makeQueue, makeReports } from "./queue.ts"

// Serializes changes of rules, so that their limits hold [I0.2]: "mode", "rule".
const lockChanges = "select pg_advisory_xact_lock(1836016741, 1920298085)"

const activeVersion = `
  select coalesce(string_agg(id || '.' || revision, ' ' order by created_at, id), '') as version
  from moderation_rules where is_active`

const makeRules = (statements: Statements, shape: TableShape): ModerationRules => ({
  ...makeTable<ModerationRuleRow>(statements, shape),
  lockChanges: () => Effect.asVoid(statements.rows(lockChanges)),
  active: () =>
    statements.rows<ModerationRuleRow>(
      `select ${shape.columns.join(", ")} from ${shape.name} where is_active order by created_at, id`,
    ),
  activeVersion: () =>
    Effect.map(
      statements.lookUp<{ readonly version: string }>("moderation-rules-version", activeVersion, []),
      ([row]) => row?.version ?? "",
    ),
  count: () =>
    Effect.map(
      statements.rows<{ readonly count: number }>("select count(*)::int from moderation_rules"),
      ([row]) => row?.count ?? 0,
    ),
})

const save = `
  insert into trust_levels (app_user_id, trust_level, auto_approve, updated_at) values ($1, $2, $3, $4)
  on conflict (app_user_id) do update set
    trust_level = excluded.trust_level, auto_approve = excluded.auto_approve, updated_at = excluded.updated_at`

// Each has a user, so the page can be taken before they are joined. It is read also where nothing is there to join: a limit
// that cannot be is told.
const listTrust = (where: string) => `
  select t.*, jsonb_build_object('id', u.id, 'display_name', u.display_name, 'email', u.email) as app_users
  from (
    select * from trust_levels where ${where} order by updated_at desc, app_user_id desc limit $1 offset $2
  ) as t left join app_users u on u.id = t.app_user_id
  order by t.updated_at desc, t.app_user_id desc`

const makeTrust = (statements: Statements): TrustLevels => ({
  find: (userId) =>
    Effect.map(
      statements.lookUp<TrustRow>("trust-of-user", "select * from trust_levels where app_user_id = $1", [userId]),
      ([row]) => Option.fromNullishOr(row),
    ),
  save: ({ app_user_id, trust_level, auto_approve, updated_at }) =>
    Effect.asVoid(statements.rows(save, [app_user_id, trust_level, auto_approve, updated_at])),
  page: Effect.fnUntraced(function* ({ limit, offset }) {
    const rows = yield* statements.rows<ListedTrustLevel>(listTrust("true"), [limit, offset])
    const [counted] = yield* statements.rows<{ readonly total: number }>(
      "select count(*)::int as total from trust_levels",
    )
    return { rows, total: counted?.total ?? 0 }
  }),
  listAfter: ({ at, id }, { limit, offset }) =>
    statements.rows<ListedTrustLevel>(listTrust("(updated_at, app_user_id) < ($3, $4)"), [limit, offset, at, id]),
})

/** Moderation in PostgreSQL: tables and repositories. */
export const moderationFeature: TenantFeature<ModerationDb> = {
  tenant: {
    entities: [ModerationRule, ModerationQueueItem, ModerationReport, TrustLevel],
    steps: [moderation, moderationQueueByAuthor],
    repositories: {
      moderationRules: (statements, shapes) => makeRules(statements, shapes(ModerationRule)),
      moderationQueue: (statements, shapes) => makeQueue(statements, shapes(ModerationQueueItem)),
      moderationReports: (statements, shapes) => makeReports(statements, shapes(ModerationReport)),
      trustLevels: makeTrust,
    },
  },
}
