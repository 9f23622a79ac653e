import type { Clock, ListPlace, Page, Slice } from "@hearth/core"
import {
  type InboxEntry,
  type InboxFilter,
  type InboxRow,
  type InboxSummary,
  processTopic,
  type WebhookInbox,
} from "@hearth/core/webhooks"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeBindings } from "../sql/bindings.ts"
import { makeInboxUsers } from "./inbox-users.ts"

// About the size of the payload of an entry of the outbox.
const entryBytes = 64

const firstUser = `(
  select app_user_id from webhook_inbox_users u where u.inbox_id = i.id order by position, app_user_id limit 1
)`

const shown = [
  ...["id", "provider", "provider_event_id", "event_type", "provider_user_id"],
  ...["status", "error", "received_at", "processed_at"],
]

const types: Readonly<Record<string, string>> = {
  ...{ id: "uuid", payload: "jsonb" },
  ...{ received_at: "timestamptz", processed_at: "timestamptz", event_at: "timestamptz" },
}

/** `$1::uuid, …` for the columns of a row. */
const parameters = (columns: ReadonlyArray<string>) =>
  columns.map((column, at) => `$${at + 1}::${types[column] ?? "text"}`).join(", ")

const valuesOf = ({ columns, json }: TableShape, row: InboxRow) =>
  columns.map((column) => {
    const value = row[column as keyof InboxRow]
    return json.has(column) && value !== null ? JSON.stringify(value) : value
  })

// A body without an id that comes twice at once: the second one waits for the first to be committed.
const lockBody = "select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 1749233016))"

const makeTaking = (statements: Statements, shape: TableShape): Pick<WebhookInbox, "take" | "takeBody"> => {
  const { columns, name } = shape
  const insert = `insert into ${name} (${columns.join(", ")})`
  const queued = `queued as (
    insert into outbox (topic, event_ids, payload, bytes, created_at)
    select '${processTopic}', '{}', jsonb_build_object('inbox_id', id), ${entryBytes}, received_at from taken
    where status = 'received'
  )`
  const taking = (source: string) =>
    `with taken as (${insert} ${source} on conflict (provider, provider_event_id) do nothing
       returning id, status, received_at), ${queued} select id from taken`
  const take = taking(`values (${parameters(columns)})`)
  const at = (column: string) => `$${columns.indexOf(column) + 1}`
  const takeBody = taking(`select ${parameters(columns)} where not exists (
    select from ${name} i where i.provider = ${at("provider")} and i.body_key = ${at("body_key")}
      and i.received_at >= $${columns.length + 1}
  )`)
  const isTaken = (rows: ReadonlyArray<unknown>) => rows.length > 0
  return {
    // Where the answer is lost it is taken in once more, which waits for the first try and writes nothing after it.
    take: (row) => {
      const values = valuesOf(shape, row)
      return Effect.map(
        statements.confirm(statements.prepared("take-webhook", take, values), statements.rows(take, values)),
        isTaken,
      )
    },
    takeBody: Effect.fnUntraced(function* (row, since) {
      yield* statements.rows(lockBody, [row.provider, row.body_key])
      const values = [...valuesOf(shape, row), since]
      return isTaken(yield* statements.confirm(statements.rows(takeBody, values), statements.rows(takeBody, values)))
    }),
  }
}

const conditionsOf = ({ provider, status, user_id = null }: InboxFilter, place: ListPlace | null = null) => {
  const { bind, values } = makeBindings()
  const conditions = Object.entries({ provider, status }).flatMap(([column, value]) =>
    value === null ? [] : [`${column} = ${bind(value, "text")}`],
  )
  if (user_id !== null)
    conditions.push(`id in (select inbox_id from webhook_inbox_users where app_user_id = ${bind(user_id, "uuid")})`)
  if (place !== null)
    conditions.push(`(received_at, id) < (${bind(place.at, "timestamptz")}, ${bind(place.id, "uuid")})`)
  return { where: conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`, bind, values }
}

const makeReading = (
  statements: Statements,
  { columns, name }: TableShape,
): Pick<WebhookInbox, "find" | "page" | "listAfter" | "oldestPassing"> => {
  const list = (filter: InboxFilter, { limit, offset }: Slice, place: ListPlace | null = null) => {
    const { where, bind, values } = conditionsOf(filter, place)
    const slice = `limit ${bind(limit, "bigint")} offset ${bind(offset, "bigint")}`
    return statements.rows<InboxSummary>(
      `select ${shown.join(", ")}, ${firstUser} as app_user_id from (
         select ${shown.join(", ")} from ${name} ${where} order by received_at desc, id desc ${slice}
       ) as i order by received_at desc, id desc`,
      values,
    )
  }
  return {
    find: (id) =>
      Effect.map(
        statements.rows<InboxEntry>(
          `select ${columns.join(", ")}, ${firstUser} as app_user_id from ${name} i where id = $1`,
          [id],
        ),
        ([entry]) => Option.fromNullishOr(entry),
      ),
    page: Effect.fnUntraced(function* (filter, slice) {
      const { where, values } = conditionsOf(filter)
      const counted = `select count(*)::int as total from ${name} ${where}`
      const [count] = yield* statements.rows<{ readonly total: number }>(counted, values)
      return { rows: yield* list(filter, slice), total: count?.total ?? 0 } satisfies Page<InboxSummary>
    }),
    listAfter: (filter, place, slice) => list(filter, slice, place),
    oldestPassing: () => statements.instant(`select min(received_at) from ${name} where ${passing}`),
  }
}

// The condition of the partial index, in its words.
const passing = "(status = 'ignored' or event_type = 'TEST' or provider = 'paywall')"

const makeRemoving = (
  statements: Statements,
  { name }: TableShape,
): Pick<WebhookInbox, "keepNewestWithoutId" | "removeOld"> => ({
  // What another call removes already is left to it.
  keepNewestWithoutId: (provider, count) =>
    Effect.asVoid(
      statements.rows(
        `delete from ${name} where id in (
           select id from ${name} where provider = $1 and provider_event_id is null
           order by received_at desc, id desc offset $2 for update skip locked
         )`,
        [provider, count],
      ),
    ),
  removeOld: (before, limit) =>
    statements.count(
      `delete from ${name} where id in (
         select id from ${name} where ${passing} and received_at < $1 order by received_at, id limit $2
         for update skip locked
       )`,
      [before, limit],
    ),
})

/** The webhooks of a project. */
export const makeInbox = (statements: Statements, shape: TableShape, clock: Clock): WebhookInbox => ({
  ...makeTaking(statements, shape),
  ...makeReading(statements, shape),
  ...makeRemoving(statements, shape),
  ...makeInboxUsers(statements, clock),
})
