import type { AdminMessage, Message, MessageRow, Messages, Writing } from "@hearth/core/messaging"
import type { DatedContent } from "@hearth/core/moderation"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, type Measured, readCut, textBytes } from "../sql/cut-page.ts"
import { makeTable } from "../sql/table.ts"
import { adminColumns, hourSql, messageColumns, personSql } from "./message-sql.ts"

// One after the other: the user, then the conversation, then that the user takes part. A row that goes while its lock is waited
// for is not there any more.
const lockToWrite = `
  with sender as materialized (
    select id, display_name, avatar_url from app_users where id = $2 for key share
  ), conversation as materialized (
    select id, type, pair from conversations where id = $1 and (select count(*) from sender) >= 0 for no key update
  ), participant as materialized (
    select app_user_id from conversation_participants
    where conversation_id = $1 and app_user_id = $2 and (select count(*) from conversation) >= 0 for key share
  )
  select ${personSql("s")} as sender, c.type, c.pair
  from (select) as always left join sender s on true left join conversation c on exists (select from participant)`

// Participants whose list this moves within are those whose hour it changes: once an hour and conversation.
const write = `
  with before as materialized (
    select id, last_number, latest_at from conversations where id = $2::uuid
  ), written as (
    insert into messages (id, conversation_id, number, sender_id, body, client_message_id, moderation, created_at)
    select $1::uuid, id, last_number + 1, $3::uuid, $4::text, $5::text, $6::text, $7::timestamptz from before
    on conflict (conversation_id, sender_id, client_message_id) where client_message_id is not null do nothing
    returning number, moderation = 'held' as is_held
  ), changed as (
    update conversations c set
      last_number = w.number, message_count = c.message_count + 1, held_count = c.held_count + w.is_held::int,
      newest_at = greatest(c.newest_at, $7::timestamptz),
      latest_at = case when w.is_held then c.latest_at else greatest(c.latest_at, $7::timestamptz) end
    from written w where c.id = $2::uuid returning c.latest_at, w.number, w.is_held
  ), marked as (
    update conversation_participants p set
      read_number = c.number,
      held_at = case when c.is_held then greatest(p.held_at, $7::timestamptz) else p.held_at end,
      latest_hour = ${hourSql("greatest(c.latest_at, p.held_at, case when c.is_held then $7::timestamptz end)")}
    from changed c where p.conversation_id = $2::uuid and p.app_user_id = $3::uuid
  ), moved as (
    update conversation_participants p set latest_hour = ${hourSql("c.latest_at")}
    from changed c where p.conversation_id = $2::uuid and p.app_user_id <> $3::uuid and p.latest_hour < ${hourSql("c.latest_at")}
      and (select ${hourSql("b.latest_at")} < ${hourSql("n.latest_at")} from before b, changed n)
  )
  select from written`

const findRepeated = `
  select ${messageColumns} from messages m left join app_users u on u.id = m.sender_id
  where m.conversation_id = $1 and m.sender_id = $2 and m.client_message_id = $3`

const inRange = "number < coalesce($3::int, 2147483647) and number > coalesce($4::int, 0)"

const pageForUser = `
  select ${messageColumns}, m.page_rows, m.bytes_before from (${cutPage(
    `
    select * from (
      (select * from messages v where v.conversation_id = $1 and v.moderation <> 'held' and ${inRange}
       order by number desc limit $5::bigint + $6::bigint)
      union all
      (select * from messages h where h.conversation_id = $1 and h.sender_id = $2 and h.moderation = 'held' and ${inRange}
       order by number desc limit $5::bigint + $6::bigint)
    ) as seen order by number desc limit $5 offset $6`,
    "number desc",
    textBytes("body"),
  )}) as m left join app_users u on u.id = m.sender_id order by m.number desc`

const countForUser = `
  select (message_count - held_count + (
    select count(*) from messages h where h.conversation_id = $1 and h.sender_id = $2 and h.moderation = 'held'
  ))::int as total from conversations where id = $1`

const pageForAdmin = (range: string) => `
  select ${adminColumns}, m.number, m.page_rows, m.bytes_before from (${cutPage(
    `select * from messages where conversation_id = $1 ${range} order by number desc limit $2 offset $3`,
    "number desc",
    textBytes("body"),
  )}) as m left join app_users u on u.id = m.sender_id order by m.number desc`

const countForAdmin = "select message_count as total from conversations where id = $1"

const erase = "update messages set body = null where id = $1 and sender_id = $2"

const forgetSender = `
  update messages set sender_id = null where id in (
    select id from messages where sender_id = $1 order by id limit $2
  )`

const removeSome = `
  with gone as (
    delete from messages where id in (
      select id from messages where conversation_id = any($1::uuid[]) order by conversation_id, number limit $2
    ) returning conversation_id, moderation
  ), fewer as (
    update conversations c set message_count = message_count - g.messages, held_count = held_count - g.held
    from (
      select conversation_id, count(*) as messages, count(*) filter (where moderation = 'held') as held
      from gone group by conversation_id
    ) as g where c.id = g.conversation_id
  )
  select count(*)::int as total from gone`

const newest = "select id, created_at from messages where body is not null order by id desc limit $1"

type Numbered = AdminMessage & Pick<MessageRow, "number">

/** The messages of a project. */
export const makeMessages = (statements: Statements, shape: TableShape): Messages => {
  const totalOf = (text: string, values: ReadonlyArray<unknown>) =>
    Effect.map(statements.rows<{ readonly total: number }>(text, values), ([row]) => row?.total ?? 0)
  const first = (rows: ReadonlyArray<Message>) => Option.fromNullishOr(rows[0])
  return {
    ...makeTable<MessageRow>(statements, shape),
    lockToWrite: (conversationId, userId) =>
      Effect.map(
        statements.lock<Pick<Writing, "sender"> & NonNullable<Writing["conversation"]>>("lock-to-write", lockToWrite, [
          conversationId,
          userId,
        ]),
        ([row]) => ({
          sender: row?.sender ?? null,
          conversation: row === undefined || row.type === null ? null : { type: row.type, pair: row.pair },
        }),
      ),
    write: ({ id, conversation_id, sender_id, body, client_message_id, moderation, created_at }) => {
      const values = [id, conversation_id, sender_id, body, client_message_id, moderation, created_at]
      // Nothing can be in the way of a message that repeats none.
      return client_message_id === null
        ? Effect.as(statements.send(write, values, "write-message"), true)
        : Effect.map(statements.prepared("write-message", write, values), (rows) => rows.length > 0)
    },
    findRepeated: (...named) => Effect.map(statements.rows<Message>(findRepeated, named), first),
    pageForUser: Effect.fnUntraced(function* (conversationId, userId, { before, after }, { limit, offset }) {
      const values = [conversationId, userId, before, after, limit, offset]
      const page = readCut<Message>(yield* statements.rows<Message & Measured>(pageForUser, values))
      return { ...page, total: yield* totalOf(countForUser, [conversationId, userId]) }
    }),
    pageForAdmin: Effect.fnUntraced(function* (conversationId, before, { limit, offset }) {
      const values = [conversationId, limit, offset, ...(before === null ? [] : [before])]
      const text = pageForAdmin(before === null ? "" : "and number < $4::int")
      const { rows, ...cutShort } = readCut<Numbered>(yield* statements.rows<Numbered & Measured>(text, values))
      return {
        ...{ ...cutShort, rows: rows.map(({ number: _, ...message }) => message) },
        ...{ total: yield* totalOf(countForAdmin, [conversationId]), last_number: rows.at(-1)?.number ?? null },
      }
    }),
    erase: (id, senderId) => Effect.map(statements.count(erase, [id, senderId]), (erased) => erased > 0),
    forgetSender: (userId, limit) => statements.count(forgetSender, [userId, limit]),
    removeSome: (conversationIds, limit) => totalOf(removeSome, [conversationIds, limit]),
    newest: (limit) => statements.rows<DatedContent>(newest, [limit]),
  }
}
