import {
  type Conversation,
  type ConversationRow,
  type Conversations,
  type ListedConversation,
  type MessagingStats,
  maxUnread,
  shownParticipants,
} from "@hearth/core/messaging"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"
import { bodySql, hourSql, type LastColumns, lastColumns, personSql, splitLast } from "./message-sql.ts"

const participantCount = `(
  select count(*)::int from conversation_participants x where x.conversation_id = c.id
) as participant_count`

// What is held of others may be any number: it is not read, but left out by the indexes.
const seenLast = `
  select * from (
    (select * from messages v where v.conversation_id = c.id and v.moderation <> 'held' order by number desc limit 1)
    union all
    (select * from messages h where h.conversation_id = c.id and h.sender_id = $1 and h.moderation = 'held'
     order by number desc limit 1)
  ) as seen order by number desc limit 1`

// Nobody has own messages after the mark: writing moves it. In an order, so that the index is read: where one conversation has most
// of the messages, the planner would look for those of each other one in all of the table.
const unread = `(
  select count(*)::int from (
    select from messages n where n.conversation_id = c.id and n.number > c.read_number and n.moderation <> 'held'
      and n.sender_id is distinct from $1 order by n.number limit ${maxUnread}
  ) as counted
) as unread_count`

const people = `(
  select jsonb_agg(${personSql("u")} order by shown.joined_at, shown.app_user_id) from (
    select app_user_id, joined_at from conversation_participants x where x.conversation_id = c.id
    order by joined_at, app_user_id limit ${shownParticipants}
  ) as shown join app_users u on u.id = shown.app_user_id
) as participants`

/** The view of the user $1 on conversations `c`, with what the user has read. */
const viewed = `
  select c.id, c.type, c.name, c.created_at, ${participantCount}, ${people}, ${unread}, ${lastColumns(bodySql("m"))}
  from picked c left join lateral (${seenLast}) as m on true left join app_users u on u.id = m.sender_id`

const picked = `c.id, c.type, c.name, c.created_at, p.read_number, greatest(c.latest_at, p.held_at) as seen_at`

// Of the hours from the newest down to that of the last row of the page: what lies before them cannot be on it.
const pageOfUser = `
  with near as materialized (
    select conversation_id, read_number, held_at from conversation_participants where app_user_id = $1
    order by latest_hour desc fetch first ($2::bigint + $3::bigint) rows with ties
  ), picked as materialized (
    select ${picked} from near p join conversations c on c.id = p.conversation_id
    order by seen_at desc, c.id desc limit $2 offset $3
  )
  ${viewed} order by c.seen_at desc, c.id desc`

const view = `
  with picked as materialized (
    select ${picked} from conversation_participants p join conversations c on c.id = p.conversation_id
    where p.app_user_id = $1 and p.conversation_id = $2
  )
  ${viewed}`

const countOfUser = "select count(*)::int as total from conversation_participants where app_user_id = $1"

const listOfAll = (where: string) => `
  with picked as materialized (
    select id, type, name, created_at, newest_at from conversations c ${where}
    order by newest_at desc, id desc limit $1 offset $2
  )
  select c.id, c.type, c.name, c.created_at, c.newest_at, ${participantCount}, ${lastColumns("m.body")}
  from picked c left join lateral (
    select * from messages l where l.conversation_id = c.id order by number desc limit 1
  ) as m on true left join app_users u on u.id = m.sender_id
  order by c.newest_at desc, c.id desc`

const stats = `
  select count(*)::int as total_conversations, coalesce(sum(message_count), 0)::float8 as total_messages,
    (select count(*)::int from conversations where newest_at >= $1 and message_count > 0) as active_conversations_24h
  from conversations`

const refresh = `
  with changed as (
    update conversations c set
      message_count = c.message_count + $2, held_count = c.held_count + $3,
      newest_at = coalesce((
        select created_at from messages where conversation_id = $1 order by number desc limit 1
      ), c.created_at),
      latest_at = coalesce((
        select created_at from messages where conversation_id = $1 and moderation <> 'held' order by number desc limit 1
      ), c.created_at)
    where c.id = $1 returning c.latest_at
  ), held as (
    select app_user_id, (
      select created_at from messages m
      where m.conversation_id = $1 and m.sender_id = p.app_user_id and m.moderation = 'held' order by number desc limit 1
    ) as held_at
    from conversation_participants p where conversation_id = $1
  ), wanted as (
    select held.*, ${hourSql("greatest(changed.latest_at, held.held_at)")} as latest_hour from held, changed
  )
  update conversation_participants p set held_at = wanted.held_at, latest_hour = wanted.latest_hour
  from wanted where p.conversation_id = $1 and p.app_user_id = wanted.app_user_id
    and (p.held_at, p.latest_hour) is distinct from (wanted.held_at, wanted.latest_hour)`

// With its people and its newest message one may have 40 KB, so a larger page is read in pieces (ADR 0021). Their bytes are not
// measured: that would look up all of the page for each piece.
const mostAtOnce = 100

type ViewedRow = Omit<Conversation, "last_message"> & LastColumns
type AdminRow = Omit<ListedConversation, "last_message"> & LastColumns

const readViewed = (found: ViewedRow): Conversation => {
  const { row, message } = splitLast(found)
  return { ...row, last_message: message }
}

const readListed = (found: AdminRow): ListedConversation => {
  const { row, message, moderation } = splitLast(found)
  return { ...row, last_message: message === null ? null : { ...message, moderation } }
}

/** The conversations of a project. */
export const makeConversations = (statements: Statements, shape: TableShape): Conversations => {
  const totalOf = (text: string, values: ReadonlyArray<unknown>) =>
    Effect.map(statements.rows<{ readonly total: number }>(text, values), ([row]) => row?.total ?? 0)
  return {
    ...makeTable<ConversationRow>(statements, shape),
    lockMany: (ids) =>
      Effect.asVoid(
        statements.rows("select id from conversations where id = any($1::uuid[]) order by id for no key update", [ids]),
      ),
    pageOfUser: Effect.fnUntraced(function* (userId, { limit, offset }) {
      const rows = yield* statements.rows<ViewedRow>(pageOfUser, [userId, Math.min(limit, mostAtOnce), offset])
      const total = yield* totalOf(countOfUser, [userId])
      const isCut = limit > mostAtOnce && rows.length === mostAtOnce && offset + rows.length < total
      return { rows: rows.map(readViewed), total, ...(isCut ? { is_cut: true } : undefined) }
    }),
    view: (id, userId) =>
      Effect.map(statements.rows<ViewedRow>(view, [userId, id]), ([row]) =>
        Option.map(Option.fromNullishOr(row), readViewed),
      ),
    pageOfAll: Effect.fnUntraced(function* ({ limit, offset }) {
      const rows = yield* statements.rows<AdminRow>(listOfAll(""), [limit, offset])
      return {
        rows: rows.map(readListed),
        total: yield* totalOf("select count(*)::int as total from conversations", []),
      }
    }),
    listOfAll: ({ at, id }, { limit, offset }) =>
      Effect.map(
        statements.rows<AdminRow>(listOfAll("where (newest_at, id) < ($3::timestamptz, $4::uuid)"), [
          ...[limit, offset, at, id],
        ]),
        (rows) => rows.map(readListed),
      ),
    stats: (since) =>
      Effect.map(statements.rows<MessagingStats>(stats, [since]), ([row]) => {
        if (row === undefined) throw new Error("The statistics have no row.")
        return row
      }),
    refresh: (id, { messages, held }) => Effect.asVoid(statements.rows(refresh, [id, messages, held])),
    removeMany: (ids) => Effect.asVoid(statements.rows("delete from conversations where id = any($1::uuid[])", [ids])),
    forgetUser: (userId, ids) =>
      Effect.asVoid(
        statements.rows(
          `update conversations set pair = null, creator_id = nullif(creator_id, $1) where id = any($2::uuid[])`,
          [userId, ids],
        ),
      ),
  }
}
