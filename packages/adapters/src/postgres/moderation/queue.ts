import type {
  ContentKey,
  ModerationQueue,
  ModerationReports,
  QueueItem,
  QueueItemRow,
  ReportRow,
} from "@hearth/core/moderation"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

// The author's trust is read in the same statement, so that a match costs one.
const add = `
  insert into moderation_queue as q
    (id, reason, status, created_at, content_type, content_id, app_user_id, rule_id, excerpt, is_open)
  select $1, $2, 'pending', $3, $4, $5, $6::uuid, $7, $8, true
  where not exists (select from trust_levels where app_user_id = $6::uuid and auto_approve)
  on conflict (content_type, content_id, is_open) do update set rule_id = excluded.rule_id, excerpt = excluded.excerpt
  returning id`

const ofContent = "content_type = $1 and content_id = $2"
const lastResolved = `${ofContent} and is_open is null order by resolved_at desc, id desc limit 1`

/** Items of `source` as they are answered. The parameter is the user to whose reports the reasons are limited, or null. */
const shown = (user: string, source: string) => `
  select q.id, q.reason, q.status, q.created_at, q.moderator_id, q.resolved_at, q.content_type, q.content_id,
    (select u.id from app_users u where u.id = q.app_user_id) as app_user_id,
    (select r.id from moderation_rules r where r.id = q.rule_id) as rule_id, q.excerpt,
    (select count(*)::int from moderation_reports r where r.item_id = q.id) as report_count,
    coalesce((
      select jsonb_agg(newest.reason order by newest.created_at desc, newest.id desc) from (
        select r.reason, r.created_at, r.id from moderation_reports r
        where r.item_id = q.id and (${user}::uuid is null or r.app_user_id = ${user}::uuid)
        order by r.created_at desc, r.id desc limit 20
      ) as newest
    ), '[]') as report_reasons
  from ${source} q`

const newestFirst = "created_at desc, id desc"

// The page is taken first: of what is passed over, nothing else is read.
const list = (where: string) => {
  const page = `
    select * from moderation_queue where status = $1 and ($5::text is null or content_type = $5)
      and ($6::uuid is null or app_user_id = $6) and ${where}
    order by ${newestFirst} limit $3 offset $4`
  return `${shown("$2", `(${page})`)} order by q.created_at desc, q.id desc`
}

const removeResolved = `
  delete from moderation_queue where id in (
    select id from moderation_queue where resolved_at < $1 order by resolved_at, id limit $2 for update skip locked
  )`

/** The queue of a project. */
export const makeQueue = (statements: Statements, shape: TableShape): ModerationQueue => {
  const select = `select ${shape.columns.join(", ")} from moderation_queue`
  const first = <Row>(rows: ReadonlyArray<Row>) => Option.fromNullishOr(rows[0])
  const keyOf = ({ content_type, content_id }: ContentKey) => [content_type, content_id]
  return {
    ...makeTable<QueueItemRow>(statements, shape),
    add: ({ id, reason, created_at, content_type, content_id, app_user_id, rule_id, excerpt }) =>
      Effect.map(
        statements.rows(add, [id, reason, created_at, content_type, content_id, app_user_id, rule_id, excerpt]),
        (rows) => rows.length > 0,
      ),
    lockOpen: (content) =>
      Effect.map(
        statements.rows<QueueItemRow>(`${select} where ${ofContent} and is_open for no key update`, keyOf(content)),
        first,
      ),
    findResolved: (content) =>
      Effect.map(statements.rows<QueueItemRow>(`${select} where ${lastResolved}`, keyOf(content)), first),
    forgetText: (content) =>
      Effect.asVoid(
        statements.rows(
          `update moderation_queue set text_digest = null
           where text_digest is not null and id = (select id from moderation_queue where ${lastResolved})`,
          keyOf(content),
        ),
      ),
    clearExcerpts: (content_type, content_ids) =>
      Effect.asVoid(
        statements.rows(
          `update moderation_queue set excerpt = '' where content_type = $1 and content_id = any($2::uuid[])`,
          [content_type, content_ids],
        ),
      ),
    show: (id, of) =>
      Effect.map(statements.rows<QueueItem>(`${shown("$2", "moderation_queue")} where q.id = $1`, [id, of]), first),
    pageShown: Effect.fnUntraced(function* ({ status, content_type, app_user_id }, { limit, offset }) {
      const values = [status, null, limit, offset, content_type, app_user_id]
      const rows = yield* statements.rows<QueueItem>(list("true"), values)
      const [counted] = yield* statements.rows<{ readonly total: number }>(
        `select count(*)::int as total from moderation_queue
         where status = $1 and ($2::text is null or content_type = $2) and ($3::uuid is null or app_user_id = $3)`,
        [status, content_type, app_user_id],
      )
      return { rows, total: counted?.total ?? 0 }
    }),
    listShownAfter: ({ status, content_type, app_user_id }, { at, id }, { limit, offset }) => {
      const values = [status, null, limit, offset, content_type, app_user_id, at, id]
      return statements.rows<QueueItem>(list("(created_at, id) < ($7, $8)"), values)
    },
    removeResolved: (before, limit) => statements.count(removeResolved, [before, limit]),
    firstResolvedAt: () =>
      Effect.map(statements.instant("select min(resolved_at) from moderation_queue"), Option.fromNullOr),
  }
}

/** The reports of a project. */
export const makeReports = (statements: Statements, shape: TableShape): ModerationReports => {
  const { columns, name } = shape
  const insert = `
    insert into ${name} (${columns.join(", ")}) values (${columns.map((_, at) => `$${at + 1}`).join(", ")})
    on conflict (item_id, app_user_id, text_digest) do nothing returning id`
  return {
    ...makeTable<ReportRow>(statements, shape),
    add: (report) =>
      Effect.map(
        statements.rows(
          insert,
          columns.map((column) => report[column as keyof ReportRow]),
        ),
        (written) => written.length > 0,
      ),
  }
}
