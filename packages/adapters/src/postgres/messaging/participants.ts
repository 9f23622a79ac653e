import type { Participant, Participants } from "@hearth/core/messaging"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import { hourSql } from "./message-sql.ts"

const add = `
  insert into conversation_participants (conversation_id, app_user_id, joined_at, read_number, held_at, latest_hour)
  select c.id, given.id, $3, c.last_number, null, ${hourSql("c.latest_at")}
  from conversations c, unnest($2::uuid[]) as given (id) where c.id = $1
  on conflict (conversation_id, app_user_id) do nothing`

const find = "select * from conversation_participants where conversation_id = $1 and app_user_id = $2"

const list = "select app_user_id as id from conversation_participants where conversation_id = $1 order by app_user_id"

const listOfUser = `
  select conversation_id as id from conversation_participants where app_user_id = $1 order by conversation_id limit $2`

const sole = `
  select given.id from unnest($1::uuid[]) as given (id) where 1 = (
    select count(*) from (
      select from conversation_participants p where p.conversation_id = given.id limit 2
    ) as first
  )`

const full = `
  select given.id from unnest($1::uuid[]) as given (id) where $2 <= (
    select count(*) from (
      select from conversation_participants p where p.app_user_id = given.id limit $2
    ) as counted
  )`

const read = `
  update conversation_participants p set read_number = greatest(p.read_number, coalesce($3::int, greatest(
    (select max(number) from messages m where m.conversation_id = $1 and m.moderation <> 'held'),
    (select max(number) from messages m where m.conversation_id = $1 and m.sender_id = $2 and m.moderation = 'held')
  )))
  where conversation_id = $1 and app_user_id = $2 returning read_number`

const remove = "delete from conversation_participants where app_user_id = $1 and conversation_id = any($2::uuid[])"

/** Who takes part in the conversations of a project. */
export const makeParticipants = (statements: Statements): Participants => {
  const ids = (text: string, values: ReadonlyArray<unknown>) =>
    Effect.map(statements.rows<{ readonly id: string }>(text, values), (rows) => rows.map(({ id }) => id))
  return {
    add: (conversationId, userIds, at) => Effect.asVoid(statements.rows(add, [conversationId, userIds, at])),
    find: (conversationId, userId) =>
      Effect.map(statements.rows<Participant>(find, [conversationId, userId]), ([row]) => Option.fromNullishOr(row)),
    list: (conversationId) => ids(list, [conversationId]),
    listOfUser: (userId, limit) => ids(listOfUser, [userId, limit]),
    sole: (conversationIds) => ids(sole, [conversationIds]),
    full: (userIds, most) => ids(full, [userIds, most]),
    read: (conversationId, userId, number) =>
      Effect.map(statements.rows(read, [conversationId, userId, number]), (rows) => rows.length > 0),
    remove: (userId, conversationIds) => statements.count(remove, [userId, conversationIds]),
  }
}
